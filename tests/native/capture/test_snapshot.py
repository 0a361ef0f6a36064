"""The building blocks of a capture against other implementations, and with input that is damaged."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import lz4.block
import pytest
import xxhash
from tests.commands import SECONDS

ROOT = Path(__file__).parents[3]
NATIVE = ROOT / "native"
PAGE, CHUNK = 4096, 65536


class Server:
    """native/snapshot behind a pipe, built with the sanitizers: a step outside memory ends it."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, operation: str, argument: int, request: bytes) -> tuple[bool, bytes]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(operation.encode() + struct.pack("<QI", argument, len(request)) + request)
        self.process.stdin.flush()
        head = self.process.stdout.read(5)
        assert len(head) == 5, "the program ended: a sanitizer's report is above"
        done, size = struct.unpack("<?I", head)
        return done, self.process.stdout.read(size)

    def answer(self, operation: str, argument: int, request: bytes) -> bytes:
        done, answer = self.ask(operation, argument, request)
        assert done, answer
        return answer

    def refusal(self, operation: str, argument: int, request: bytes) -> str:
        done, answer = self.ask(operation, argument, request)
        assert not done
        return answer.decode()


def built(place: Path) -> Path:
    """The server; it is kept for as long as its compiler, its sources and what they include are the same."""
    headers = [file for room in ("snapshot", "codeobj") for file in NATIVE.glob(f"{room}/*.h")]
    sources = [Path(__file__).parent / "snapshot_server.cpp"]
    names = ("code_object.cpp", "elf.cpp", "kernel_metadata.cpp", "msgpack.cpp", "target.cpp")
    sources += [NATIVE / "codeobj" / name for name in names]
    sources += sorted(NATIVE.glob("snapshot/*.cpp"))
    command = ["g++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Wno-missing-field-initializers"]
    command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{NATIVE}"]
    command += map(str, sources)
    digest = hashlib.sha256(repr(command).encode() + subprocess.check_output(["g++", "--version"]))
    for file in (*sources, *sorted(headers)):
        digest.update(file.read_bytes())
    program = place / f"server-{digest.hexdigest()[:16]}"
    if not program.is_file():
        with tempfile.TemporaryDirectory(dir=place) as folder:  # others may be at it at the same time
            made = Path(folder, "server")
            done = subprocess.run([*command, "-o", str(made)], capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, "")
            made.replace(program)
    return program


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[Server]:
    assert pytestconfig.cache is not None
    running = Server(built(Path(pytestconfig.cache.mkdir("snapshot_server"))))
    yield running
    assert running.process.stdin
    running.process.stdin.close()
    assert running.process.wait(timeout=SECONDS) == 0  # leaks are reported at the end


def samples(seed: int, count: int, largest: int) -> Iterator[bytes]:
    """Random bytes, text with few words, runs, repetitions at every distance, floats; and small sizes."""
    rng = random.Random(seed)
    yield from (bytes([7]) * size for size in range(40))
    yield from (rng.randbytes(size) for size in range(40))
    for _ in range(count):
        size = rng.randrange(largest)
        kind = rng.randrange(5)
        if kind == 0:
            yield rng.randbytes(size)
        elif kind == 1:
            words = [rng.randbytes(rng.randrange(1, 9)) for _ in range(rng.randrange(1, 30))]
            yield b"".join(rng.choice(words) for _ in range(size // 4))[:size]
        elif kind == 2:
            yield b"".join(bytes([rng.randrange(256)]) * rng.randrange(1, 600) for _ in range(size // 300))
        elif kind == 3:
            pattern = rng.randbytes(rng.randrange(1, 70000))
            yield (pattern * (size // len(pattern) + 2))[:size]
        else:
            yield struct.pack(f"<{size // 4}f", *(rng.randrange(100) / 8 for _ in range(size // 4)))


def test_xxh64_agrees_with_xxhash(server: Server) -> None:
    for i, data in enumerate(samples(1, 60, 3000)):
        seed = (i * 0x9E3779B97F4A7C15) & (2**64 - 1)
        assert struct.unpack("<Q", server.answer("x", seed, data))[0] == xxhash.xxh64_intdigest(data, seed)
    # The published test vector of the empty input.
    assert struct.unpack("<Q", server.answer("x", 0, b""))[0] == 0xEF46DB3751D8E999


def test_digests_tell_chunks_apart(server: Server) -> None:
    """One bit, or two stripes, pages or words that changed places; with and without vector units alike."""
    rng = random.Random(11)
    chunks = [bytes(CHUNK), rng.randbytes(CHUNK), struct.pack("<16384I", *range(16384))]
    for chunk in tuple(chunks):
        for _ in range(60):
            changed = bytearray(chunk)
            bit = rng.randrange(CHUNK * 8)
            changed[bit // 8] ^= 1 << bit % 8
            chunks.append(bytes(changed))
    for size in (8, 64, 1024, PAGE):
        for _ in range(20):
            a, b = (size * i for i in rng.sample(range(CHUNK // size), 2))
            changed = bytearray(chunks[1])
            changed[a : a + size], changed[b : b + size] = changed[b : b + size], changed[a : a + size]
            chunks.append(bytes(changed))
    chunks = list(dict.fromkeys(chunks))
    digests = [server.answer("g", 0, chunk) for chunk in chunks]
    assert len({part for digest in digests for part in (digest[:8], digest[8:])}) == 2 * len(chunks)
    if server.ask("g", 1, chunks[0])[0]:
        assert [server.answer("g", 1, chunk) for chunk in chunks] == digests


def bound(size: int) -> int:
    return size + size // 255 + 16  # LZ4's worst case


def test_what_we_compress_the_published_decoder_reads(server: Server) -> None:
    for data in samples(2, 150, 200_000):
        packed = server.answer("c", bound(len(data)), data)
        assert lz4.block.decompress(packed, uncompressed_size=len(data)) == data
        assert server.answer("d", len(data), packed) == data


def test_what_the_published_encoder_writes_we_read(server: Server) -> None:
    for i, data in enumerate(samples(3, 100, 200_000)):
        mode = "high_compression" if i % 2 else "default"
        packed = lz4.block.compress(data, mode=mode, store_size=False)
        assert server.answer("d", len(data), packed) == data


def test_compression_is_about_as_good(server: Server) -> None:
    rng = random.Random(4)
    words = [rng.randbytes(rng.randrange(3, 12)) for _ in range(200)]
    data = b"".join(rng.choice(words) for _ in range(9000))[:CHUNK]
    ours = len(server.answer("c", bound(len(data)), data))
    theirs = len(lz4.block.compress(data, store_size=False))
    assert ours <= theirs * 1.1
    zeros = server.answer("c", bound(CHUNK), bytes(CHUNK))
    assert len(zeros) < 300


def test_compression_that_does_not_fit_is_refused(server: Server) -> None:
    for data in samples(5, 40, 20_000):
        size = len(server.answer("c", bound(len(data)), data))
        assert server.answer("c", size, data)
        assert not server.ask("c", size - 1, data)[0]
    assert not server.ask("c", CHUNK - CHUNK // 16, random.Random(6).randbytes(CHUNK))[0]


def test_damaged_blocks_are_refused_or_decode_to_the_right_size(server: Server) -> None:
    rng = random.Random(7)
    for data in samples(8, 60, 5_000):
        packed = server.answer("c", bound(len(data)), data)
        for size in (len(data) + 1, len(data) - 1):
            assert size < 0 or not server.ask("d", size, packed)[0]
        for _ in range(20):
            damaged = bytearray(packed)
            if rng.random() < 0.3:
                damaged = damaged[: rng.randrange(len(damaged))]
            for _ in range(rng.randrange(1, 4)):
                if damaged:
                    damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            done, result = server.ask("d", len(data), bytes(damaged))
            assert len(result) == (len(data) if done else 0)
    for _ in range(500):
        server.ask("d", rng.randrange(300), rng.randbytes(rng.randrange(100)))


# ---- region files ----------------------------------------------------------------------------------


def write_region(server: Server, path: Path, memory: bytes, base: int = 0x7F00_0000_0000) -> int:
    path.unlink(missing_ok=True)
    return int.from_bytes(server.answer("w", base, str(path).encode() + b"\0" + memory), "little")


def decode_region(path: Path) -> tuple[int, bytes, int]:
    """The documented format, read without our code: base, memory, payload bytes."""
    raw = path.read_bytes()
    magic, header, chunk, base, size, chunks, index, checksum, zero = struct.unpack("<8sIIQQQQQQ", raw[:64])
    assert (magic, header, chunk, zero) == (b"RPLREG01", 64, CHUNK, 0)
    assert len(raw) == index + 24 * chunks
    assert xxhash.xxh64_intdigest(raw[index:]) == checksum
    memory = bytearray(chunks * CHUNK)
    stored_bytes = 0
    for i in range(chunks):
        offset, stored, pages, codec, reserved, payload_sum = struct.unpack_from(
            "<QIHBBQ", raw, index + 24 * i
        )
        assert reserved == 0
        payload = raw[offset : offset + stored]
        stored_bytes += stored
        held = [p for p in range(16) if pages >> p & 1]
        if codec == 1:
            payload = lz4.block.decompress(payload, uncompressed_size=PAGE * len(held))
        assert len(payload) == PAGE * len(held)
        assert xxhash.xxh64_intdigest(payload) == payload_sum
        for n, page in enumerate(held):
            at = i * CHUNK + page * PAGE
            memory[at : at + PAGE] = payload[n * PAGE : (n + 1) * PAGE]
    return base, bytes(memory[:size]), stored_bytes


def region_samples() -> Iterator[bytes]:
    rng = random.Random(9)
    for size in (0, 1, 100, PAGE, PAGE + 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 777):
        yield rng.randbytes(size)
        yield bytes(size)
        sparse = bytearray(size)
        for _ in range(size // 9000 + 1):
            if size:
                sparse[rng.randrange(size)] = 1
        yield bytes(sparse)


def test_region_files_hold_what_was_written(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "region.bin"
    for memory in region_samples():
        checksum = write_region(server, path, memory)
        base, decoded, _ = decode_region(path)
        assert base == 0x7F00_0000_0000
        assert decoded == memory
        assert server.answer("r", 0, str(path).encode()) == memory
        raw = path.read_bytes()
        index = struct.unpack_from("<Q", raw, 40)[0]
        assert checksum == xxhash.xxh64_intdigest(raw[:64] + raw[index:])


def test_zero_pages_cost_nothing(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "region.bin"
    memory = bytearray(64 * CHUNK)
    memory[17 * CHUNK + 5 * PAGE : 17 * CHUNK + 6 * PAGE] = random.Random(10).randbytes(PAGE)
    write_region(server, path, bytes(memory))
    assert decode_region(path)[2] == PAGE
    assert path.stat().st_size == 64 + PAGE + 64 * 24


def test_region_files_that_exist_are_not_overwritten(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "region.bin"
    write_region(server, path, b"first")
    assert "cannot make: File exists" in server.refusal("w", 0, str(path).encode() + b"\0second")
    assert server.answer("r", 0, str(path).encode()) == b"first"


def test_damaged_region_files_are_refused_by_name(server: Server, tmp_path: Path) -> None:
    rng = random.Random(11)
    path, damaged = tmp_path / "region.bin", tmp_path / "damaged.bin"
    words = [rng.randbytes(6) for _ in range(40)]
    memory = rng.randbytes(2 * CHUNK) + b"".join(rng.choice(words) for _ in range(20000)) + bytes(CHUNK)
    write_region(server, path, memory)
    raw = path.read_bytes()
    assert server.answer("r", 0, str(path).encode()) == memory
    assert "is not a file of changed pages" in server.refusal("r", 1, str(path).encode())
    assert "No such file" in server.refusal("r", 0, str(tmp_path / "absent.bin").encode())
    for _ in range(300):  # every byte matters; base and size of the region are covered by the manifest
        at = rng.choice([rng.randrange(64), rng.randrange(len(raw)), rng.randrange(len(raw) - 200, len(raw))])
        if 16 <= at < 32:
            continue
        damaged.write_bytes(raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :])
        assert str(damaged) in server.refusal("r", 0, str(damaged).encode()), at
    for _ in range(60):
        damaged.write_bytes(raw[: rng.randrange(len(raw))])
        assert str(damaged) in server.refusal("r", 0, str(damaged).encode())
    # An index with a right checksum and entries that are not right.
    index, chunks = struct.unpack_from("<Q", raw, 40)[0], struct.unpack_from("<Q", raw, 32)[0]
    for _ in range(200):
        table = bytearray(raw[index:])
        entry = 24 * rng.randrange(chunks)
        kind = rng.randrange(3)
        table[entry : entry + 24] = [rng.randbytes(24), b"\xff" * 24, bytes(24)][kind]
        head = bytearray(raw[:64])
        head[48:56] = xxhash.xxh64_intdigest(bytes(table)).to_bytes(8, "little")
        damaged.write_bytes(bytes(head) + raw[64:index] + bytes(table))
        done, answer = server.ask("r", 0, str(damaged).encode())
        assert done == (kind == 2)  # all zero is an entry for a chunk that holds no page
        assert not done or len(answer) == len(memory)


# ---- JSON ------------------------------------------------------------------------------------------


def random_document(rng: random.Random, depth: int = 0) -> object:
    kind = rng.randrange(8 if depth < 4 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.randrange(-(2**63), 2**63)
    if kind == 2:
        return rng.choice([rng.uniform(-1e9, 1e9), 1e300, 5e-324, 0.1, -2.5e-7])
    if kind in (3, 4, 5):
        return "".join(
            chr(rng.choice([rng.randrange(128), rng.randrange(0x800, 0xD800), 0x1F600, 34, 92]))
            for _ in range(rng.randrange(9))
        )
    if kind == 6:
        return [random_document(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {f"k{i}é": random_document(rng, depth + 1) for i in range(rng.randrange(5))}


def test_json_agrees_with_python(server: Server) -> None:
    rng = random.Random(12)
    for i in range(400):
        document = random_document(rng)
        text = json.dumps(document, ensure_ascii=bool(i % 2), indent=rng.choice([None, 2]))
        assert json.loads(server.answer("j", i % 3, text.encode())) == document


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", '{"a":1,}', '{"a" 1}', "{a:1}", "01", "1.", ".5", "-", "+1", "1e", "nul", '"', '"\\x"',
     '"\\u12"', '"\\ud800"', '"\t"', "[1] 2", '{"a":1,"a":2}', "[" * 100 + "]" * 100, "1e999",
     '"\xff"', "NaN"],
)  # fmt: skip
def test_json_that_is_not_json_is_refused_with_a_place(server: Server, text: str) -> None:
    assert server.refusal("j", 2, text.encode("latin-1")).startswith("line 1, column ")


def test_json_mutations_never_crash(server: Server) -> None:
    rng = random.Random(13)
    text = json.dumps([random_document(rng) for _ in range(20)]).encode()
    for _ in range(500):
        damaged = bytearray(text)
        for _ in range(rng.randrange(1, 5)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        server.ask("j", 2, bytes(damaged[: rng.randrange(len(damaged) + 1)]))


def test_texts_become_valid_utf8_whatever_they_hold(server: Server) -> None:
    rng = random.Random(14)
    for _ in range(200):
        text = rng.randbytes(rng.randrange(20))
        written = json.loads(server.answer("t", 0, text).decode("utf-8"))
        if b"\xef\xbf\xbd" not in text and "\ufffd" not in written:
            assert written.encode() == text


# ---- code objects ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    source = folder / "kernels.c"
    source.write_text(
        "__attribute__((address_space(1))) int counter = 3;\n"
        "__attribute__((amdgpu_kernel)) void add(int* a, float b, long n) { a[n] += b; counter++; }\n"
        "__attribute__((amdgpu_kernel)) void nothing(void) {}\n"
    )
    zig = [sys.executable, "-m", "ziglang"]
    made = folder / "kernels.hsaco"
    for command in (
        [*zig, "clang", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-mcode-object-version=5",
         "-O2", "-c", str(source), "-o", str(made.with_suffix(".o"))],
        [*zig, "ld.lld", "-shared", str(made.with_suffix(".o")), "-o", str(made)],
    ):  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return made


def test_code_objects(server: Server, code_object: Path) -> None:
    found = json.loads(server.answer("k", 0, code_object.read_bytes()))
    assert found["target"].endswith("--gfx942")
    add, nothing = sorted(found["kernels"], key=lambda kernel: kernel["name"])
    assert (add["name"], add["symbol"], nothing["name"]) == ("add", "add.kd", "nothing")
    explicit = [(a["offset"], a["size"], a["value_kind"]) for a in add["arguments"]][:3]
    assert explicit == [(0, 8, "global_buffer"), (8, 4, "by_value"), (16, 8, "by_value")]
    assert nothing["kernarg_size"] <= add["kernarg_size"]
    assert [s["executable"] for s in found["segments"]].count(True) == 1
    assert any(s["writable"] and not s["executable"] for s in found["segments"])


def test_damaged_code_objects_never_crash(server: Server, code_object: Path) -> None:
    rng = random.Random(15)
    raw = code_object.read_bytes()
    assert server.refusal("k", 0, b"") == "it is not a 64-bit ELF file"
    assert "another machine" in server.refusal("k", 0, Path(sys.executable).resolve().read_bytes())
    for _ in range(500):
        damaged = bytearray(raw)
        for _ in range(rng.randrange(1, 6)):
            damaged[rng.choice([rng.randrange(600), rng.randrange(len(raw))])] = rng.randrange(256)
        server.ask("k", 0, bytes(damaged[: rng.choice([len(raw), rng.randrange(len(raw))])]))
