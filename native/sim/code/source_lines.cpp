#include "sim/code/source_lines.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace vrocm::sim {

namespace {

// DWARF 5, 6.2 and 7.5. Numbers as in tables 7.25 to 7.27.
constexpr unsigned kLnctPath = 1, kLnctDirectory = 2;
constexpr unsigned kFormString = 0x08, kFormStrp = 0x0e, kFormLineStrp = 0x1f, kFormUdata = 0x0f, kFormData1 = 0x0b,
                   kFormData2 = 0x05, kFormData4 = 0x06, kFormData8 = 0x07, kFormData16 = 0x1e, kFormBlock = 0x09;

// Reads forward and never past the end; after a read that does not fit, ok() is false and reads give 0.
class Cursor {
  public:
    explicit Cursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool ok() const { return ok_; }
    bool at_end() const { return !ok_ || at_ == bytes_.size(); }
    std::size_t position() const { return at_; }

    std::uint64_t fixed(unsigned size) {
        std::uint64_t value = 0;
        if (size > 8 || !need(size)) return 0;
        std::memcpy(&value, bytes_.data() + at_, size);
        at_ += size;
        return value;
    }
    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint64_t byte = fixed(1);
            if (!ok_) return 0;
            if (shift < 64) value |= (byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value;
        }
    }
    std::int64_t sleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint64_t byte = fixed(1);
            if (!ok_) return 0;
            if (shift < 64) value |= (byte & 0x7f) << shift;
            if (byte & 0x80) continue;
            if ((byte & 0x40) && shift + 7 < 64) value |= ~0ull << (shift + 7);
            return static_cast<std::int64_t>(value);
        }
    }
    std::string_view string() {
        const std::string_view text = codeobj::string_at(bytes_, at_);
        if (!need(text.size() + 1)) return {};
        at_ += text.size() + 1;
        return text;
    }
    std::span<const std::uint8_t> take(std::uint64_t size) {
        if (!need(size)) return {};
        const auto part = bytes_.subspan(at_, size);
        at_ += size;
        return part;
    }

  private:
    bool need(std::uint64_t size) {
        if (size > bytes_.size() - at_) ok_ = false;
        return ok_;
    }
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

struct File {
    std::string_view name;
    std::uint64_t directory = 0;
};

struct Header {
    unsigned version = 0, address_size = 8, offset_size = 4;
    unsigned minimum_length = 1, opcode_base = 1;
    int line_base = 0;
    unsigned line_range = 1;
    std::vector<std::uint8_t> opcode_lengths;
    std::vector<std::string_view> directories;
    std::vector<File> files;
};

class LineTables {
  public:
    explicit LineTables(const codeobj::Elf& elf)
        : lines_(elf.section(".debug_line")),
          line_strings_(elf.section(".debug_line_str")),
          strings_(elf.section(".debug_str")) {}

    // Calls visit(first address, address behind the last, place) for every row that has a line, until it says true.
    template <typename Visit>
    void visit_rows(const Visit& visit) {
        Cursor units(lines_);
        while (!units.at_end()) {
            Header header;
            std::uint64_t length = units.fixed(4);
            if (length == 0xffffffff) {
                header.offset_size = 8;
                length = units.fixed(8);
            }
            Cursor unit(units.take(length));
            if (!units.ok()) break;
            if (!read_header(unit, header)) continue;
            const auto rows = run_program(unit, header);
            for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
                const Row& row = rows[i];
                if (row.ends_sequence || row.line == 0 || row.address == rows[i + 1].address) continue;
                if (visit(row.address, rows[i + 1].address, [&] { return place(header, row.file, row.line); })) return;
            }
        }
    }

  private:
    bool read_header(Cursor& unit, Header& h);
    void read_old_tables(Cursor& cursor, Header& h);
    bool read_v5_table(Cursor& cursor, Header& h, bool files);
    // A row covers the addresses up to the next row of its sequence.
    struct Row {
        std::uint64_t address = 0, file = 1, line = 1;
        bool ends_sequence = false;
    };
    static std::vector<Row> run_program(Cursor& unit, const Header& h);
    std::string place(const Header& h, std::uint64_t file, std::uint64_t line) const;

    std::span<const std::uint8_t> lines_, line_strings_, strings_;
};

bool LineTables::read_header(Cursor& unit, Header& h) {
    h.version = static_cast<unsigned>(unit.fixed(2));
    if (h.version < 2 || h.version > 5) return false;
    if (h.version == 5) {
        h.address_size = static_cast<unsigned>(unit.fixed(1));
        unit.fixed(1);  // segment selector size
    }
    const std::uint64_t header_length = unit.fixed(h.offset_size);
    Cursor cursor(unit.take(header_length));
    if (!unit.ok()) return false;
    h.minimum_length = static_cast<unsigned>(cursor.fixed(1));
    if (h.version >= 4) cursor.fixed(1);  // maximum operations per instruction: 1
    cursor.fixed(1);                      // default is_stmt
    h.line_base = static_cast<std::int8_t>(cursor.fixed(1));
    h.line_range = static_cast<unsigned>(cursor.fixed(1));
    h.opcode_base = static_cast<unsigned>(cursor.fixed(1));
    if (h.line_range == 0 || h.opcode_base == 0) return false;
    for (unsigned i = 1; i < h.opcode_base; ++i) h.opcode_lengths.push_back(static_cast<std::uint8_t>(cursor.fixed(1)));
    if (h.version < 5) {
        read_old_tables(cursor, h);
        return cursor.ok();
    }
    return read_v5_table(cursor, h, false) && read_v5_table(cursor, h, true);
}

void LineTables::read_old_tables(Cursor& cursor, Header& h) {
    h.directories.push_back({});  // 0: the compilation directory, which is not in this section
    while (cursor.ok()) {
        const std::string_view name = cursor.string();
        if (name.empty()) break;
        h.directories.push_back(name);
    }
    h.files.push_back({});  // files count from 1
    while (cursor.ok()) {
        File file{cursor.string(), 0};
        if (file.name.empty()) break;
        file.directory = cursor.uleb();
        cursor.uleb();  // time
        cursor.uleb();  // size
        h.files.push_back(file);
    }
}

bool LineTables::read_v5_table(Cursor& cursor, Header& h, bool files) {
    struct Column {
        std::uint64_t content, form;
    };
    std::vector<Column> columns(cursor.fixed(1));
    for (Column& c : columns) c = {cursor.uleb(), cursor.uleb()};
    const std::uint64_t count = cursor.uleb();
    for (std::uint64_t i = 0; i < count && cursor.ok(); ++i) {
        File file;
        for (const Column& c : columns) {
            std::string_view text;
            std::uint64_t number = 0;
            switch (c.form) {
                case kFormString:
                    text = cursor.string();
                    break;
                case kFormLineStrp:
                    text = codeobj::string_at(line_strings_, cursor.fixed(h.offset_size));
                    break;
                case kFormStrp:
                    text = codeobj::string_at(strings_, cursor.fixed(h.offset_size));
                    break;
                case kFormUdata:
                    number = cursor.uleb();
                    break;
                case kFormData1:
                    number = cursor.fixed(1);
                    break;
                case kFormData2:
                    number = cursor.fixed(2);
                    break;
                case kFormData4:
                    number = cursor.fixed(4);
                    break;
                case kFormData8:
                    number = cursor.fixed(8);
                    break;
                case kFormData16:
                    cursor.take(16);
                    break;
                case kFormBlock:
                    cursor.take(cursor.uleb());
                    break;
                default:
                    return false;
            }
            if (c.content == kLnctPath) file.name = text;
            if (c.content == kLnctDirectory) file.directory = number;
        }
        if (files)
            h.files.push_back(file);
        else
            h.directories.push_back(file.name);
    }
    return cursor.ok();
}

std::vector<LineTables::Row> LineTables::run_program(Cursor& unit, const Header& h) {
    std::vector<Row> rows;
    Row row;
    const auto advance = [&](std::uint64_t operations) { row.address += operations * h.minimum_length; };
    while (!unit.at_end()) {
        const unsigned opcode = static_cast<unsigned>(unit.fixed(1));
        if (opcode >= h.opcode_base) {
            const unsigned adjusted = opcode - h.opcode_base;
            advance(adjusted / h.line_range);
            row.line += static_cast<std::uint64_t>(h.line_base + static_cast<int>(adjusted % h.line_range));
            rows.push_back(row);
            continue;
        }
        switch (opcode) {
            case 0: {  // extended
                Cursor extended(unit.take(unit.uleb()));
                const unsigned kind = static_cast<unsigned>(extended.fixed(1));
                if (kind == 1) {  // end of sequence
                    row.ends_sequence = true;
                    rows.push_back(row);
                    row = Row();
                } else if (kind == 2) {  // set address
                    row.address = extended.fixed(h.address_size);
                }
                break;
            }
            case 1:  // copy
                rows.push_back(row);
                break;
            case 2:
                advance(unit.uleb());
                break;
            case 3:
                row.line += static_cast<std::uint64_t>(unit.sleb());
                break;
            case 4:
                row.file = unit.uleb();
                break;
            case 8:
                advance((255 - h.opcode_base) / h.line_range);
                break;
            case 9:
                row.address += unit.fixed(2);
                break;
            default:  // column, is_stmt, ...: operands that do not matter here
                for (unsigned i = 0; i < h.opcode_lengths[opcode - 1]; ++i) unit.uleb();
        }
    }
    return rows;
}

std::string LineTables::place(const Header& h, std::uint64_t file, std::uint64_t line) const {
    if (file >= h.files.size()) return {};
    const File& f = h.files[file];
    std::string path;
    if (!f.name.starts_with('/')) {
        const std::string_view directory =
            f.directory < h.directories.size() ? h.directories[f.directory] : std::string_view{};
        // In DWARF 5 directory 0 is the one of the compilation, which others may be relative to.
        if (h.version >= 5 && f.directory != 0 && !directory.starts_with('/') && !h.directories.empty())
            path = std::string(h.directories[0]) + "/";
        if (!directory.empty() && directory != ".") path += std::string(directory) + "/";
    }
    path += f.name;
    return path + ":" + std::to_string(line);
}

}  // namespace

std::string source_line(const codeobj::Elf& elf, std::uint64_t address) {
    std::string found;
    LineTables(elf).visit_rows([&](std::uint64_t begin, std::uint64_t end, const auto& place) {
        if (begin <= address && address < end) found = place();
        return !found.empty();
    });
    return found;
}

std::vector<SourceRange> source_ranges(const codeobj::Elf& elf) {
    std::vector<SourceRange> ranges;
    LineTables(elf).visit_rows([&](std::uint64_t begin, std::uint64_t end, const auto& place) {
        if (begin < end) ranges.push_back({begin, end, place()});
        return false;
    });
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const SourceRange& a, const SourceRange& b) { return a.begin < b.begin; });
    return ranges;
}

}  // namespace vrocm::sim
