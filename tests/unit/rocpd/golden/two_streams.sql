-- examples/two_streams.hip on the virtual MI300X: rocprofv3 --kernel-trace --pmc SQ_WAVES SQ_INSTS_VALU -- ./two_streams
-- Tables and plain views of the database; the joined views are left out.
CREATE TABLE "rocpd_arg_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "category_id" INTEGER,
    "stack_id" INTEGER,
    "parent_stack_id" INTEGER,
    "correlation_id" INTEGER,
    "call_stack" JSONB DEFAULT "{}" NOT NULL,
    "line_info" JSONB DEFAULT "{}" NOT NULL,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("category_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,1,1,0,'{}','{}','{}');
INSERT INTO "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,2,2,0,'{}','{}','{}');
INSERT INTO "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(3,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,3,3,0,'{}','{}','{}');
INSERT INTO "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(4,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,4,4,0,'{}','{}','{}');
INSERT INTO "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(5,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,5,5,0,'{}','{}','{}');
CREATE TABLE "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "type" TEXT CHECK ("type" IN ('CPU', 'GPU')),
    "absolute_index" INTEGER,
    "logical_index" INTEGER,
    "type_index" INTEGER,
    "uuid" INTEGER,
    "name" TEXT,
    "model_name" TEXT,
    "vendor_name" TEXT,
    "product_name" TEXT,
    "user_name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(0,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'CPU',0,0,0,0,'Virtual CPU','','CPU','Virtual CPU','Virtual CPU','{"id":{"handle":1},"type":1,"cpu_cores_count":1,"simd_count":0,"cu_count":1,"wave_front_size":0,"num_xcc":1,"gfx_target_version":0,"name":"Virtual CPU","vendor_name":"CPU","product_name":"Virtual CPU","model_name":"","node_id":0,"logical_node_id":0,"logical_node_type_id":0,"runtime_visibility":{"hsa":1,"hip":0,"rccl":0,"rocdecode":0},"gpu_index":-1}');
INSERT INTO "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'GPU',1,1,0,29857,'gfx942','MI300X','AMD','AMD Instinct MI300X','AMD Instinct MI300X','{"id":{"handle":2},"type":2,"cpu_cores_count":0,"simd_count":1216,"mem_banks_count":1,"caches_count":3,"simd_id_base":2147487744,"max_waves_per_simd":8,"lds_size_in_kb":64,"gds_size_in_kb":0,"wave_front_size":64,"num_xcc":8,"cu_count":304,"array_count":32,"num_shader_banks":32,"simd_arrays_per_engine":1,"cu_per_simd_array":10,"simd_per_cu":4,"max_slots_scratch_cu":32,"gfx_target_version":90402,"vendor_id":4098,"device_id":29857,"location_id":1280,"domain":0,"drm_render_minor":128,"num_sdma_engines":2,"num_sdma_xgmi_engines":14,"max_engine_clk_fcompute":2100,"sdma_fw_version":{"uCodeSDMA":22},"fw_version":{"uCode":166},"cu_per_engine":9,"max_waves_per_cu":32,"family_id":141,"workgroup_max_size":1024,"grid_max_size":4294967295,"local_mem_size":206158430208,"workgroup_max_dim":{"x":1024,"y":1024,"z":1024},"grid_max_dim":{"x":2147483647,"y":65535,"z":65535},"name":"gfx942","vendor_name":"AMD","product_name":"AMD Instinct MI300X","model_name":"MI300X","node_id":1,"logical_node_id":1,"logical_node_type_id":0,"runtime_visibility":{"hsa":1,"hip":1,"rccl":0,"rocdecode":0},"gpu_index":0,"virtual":1,"uuid":"GPU-0000000000000a10","mem_banks":[{"heap_type":1,"width":8192,"mem_clk_max":1300,"size_in_bytes":206158430208}],"caches":[{"processor_id_low":2147487744,"size":32,"level":1,"cache_line_size":128,"type":{"Data":1,"Instruction":0,"CPU":0,"HSACU":1}},{"processor_id_low":2147487744,"size":4096,"level":2,"cache_line_size":128,"type":{"Data":1,"Instruction":0,"CPU":0,"HSACU":1}},{"processor_id_low":2147487744,"size":262144,"level":3,"cache_line_size":128,"type":{"Data":1,"Instruction":0,"CPU":0,"HSACU":1}}]}');
CREATE TABLE "rocpd_info_code_object_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "uri" TEXT,
    "load_base" BIGINT,
    "load_size" BIGINT,
    "load_delta" BIGINT,
    "storage_type" TEXT CHECK ("storage_type" IN ('FILE', 'MEMORY')),
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_code_object_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,1,'memory://10000#offset=0x7f0000000000&size=7440',36283884769280,17393,36283884769280,'MEMORY','{"code_object_id":1,"uri":"memory://10000#offset=0x7f0000000000&size=7440","load_base":36283884769280,"load_size":17393,"load_delta":36283884769280,"storage_type":2,"memory_base":139637976727552,"memory_size":7440}');
CREATE TABLE "rocpd_info_kernel_symbol_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "code_object_id" INTEGER NOT NULL,
    "kernel_name" TEXT,
    "display_name" TEXT,
    "kernel_object" INTEGER,
    "kernarg_segment_size" INTEGER,
    "kernarg_segment_alignment" INTEGER,
    "group_segment_size" INTEGER,
    "private_segment_size" INTEGER,
    "sgpr_count" INTEGER,
    "arch_vgpr_count" INTEGER,
    "accum_vgpr_count" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("code_object_id") REFERENCES "rocpd_info_code_object_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_kernel_symbol_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,1,'_Z5scalePffi.kd','scale(float*, float, int)',36283884772544,272,8,0,0,16,4,4,'{"kernel_id":1,"code_object_id":1,"kernel_name":"_Z5scalePffi.kd","kernel_object":36283884772544,"kernarg_segment_size":272,"kernarg_segment_alignment":8,"group_segment_size":0,"private_segment_size":0,"sgpr_count":16,"arch_vgpr_count":4,"accum_vgpr_count":4,"kernel_code_entry_byte_offset":4416,"kernel_address":{"handle":36283884776960},"formatted_kernel_name":"scale(float*, float, int)","demangled_kernel_name":"scale(float*, float, int)","truncated_kernel_name":"scale"}');
INSERT INTO "rocpd_info_kernel_symbol_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,1,'_Z10add_halvesPfi.kd','add_halves(float*, int)',36283884772608,272,8,0,0,16,8,0,'{"kernel_id":2,"code_object_id":1,"kernel_name":"_Z10add_halvesPfi.kd","kernel_object":36283884772608,"kernarg_segment_size":272,"kernarg_segment_alignment":8,"group_segment_size":0,"private_segment_size":0,"sgpr_count":16,"arch_vgpr_count":8,"accum_vgpr_count":0,"kernel_code_entry_byte_offset":4608,"kernel_address":{"handle":36283884777216},"formatted_kernel_name":"add_halves(float*, int)","demangled_kernel_name":"add_halves(float*, int)","truncated_kernel_name":"add_halves"}');
CREATE TABLE "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "hash" BIGINT NOT NULL UNIQUE,
    "machine_id" TEXT NOT NULL UNIQUE,
    "system_name" TEXT,
    "hostname" TEXT,
    "release" TEXT,
    "version" TEXT,
    "hardware_name" TEXT,
    "domain_name" TEXT
);
INSERT INTO "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1545677098,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',8320013532190640368,'a38f32347cb7b6e59003557c6bba91a5','Linux','vrocm','vrocm','vrocm','x86_64','(none)');
CREATE TABLE "rocpd_info_pmc_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "target_arch" TEXT CHECK ("target_arch" IN ('CPU', 'GPU')),
    "event_code" INT,
    "instance_id" INTEGER,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "description" TEXT,
    "long_description" TEXT DEFAULT "",
    "component" TEXT,
    "units" TEXT DEFAULT "",
    "value_type" TEXT CHECK ("value_type" IN ('ABS', 'ACCUM', 'RELATIVE')),
    "block" TEXT,
    "expression" TEXT,
    "is_constant" INTEGER,
    "is_derived" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_pmc_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,1,'GPU',NULL,NULL,'SQ_INSTS_VALU','SQ_INSTS_VALU','Vector ALU instructions, matrix instructions included','','rocm','instructions','ABS','SQ','',0,0,'{}');
INSERT INTO "rocpd_info_pmc_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,1,'GPU',NULL,NULL,'SQ_WAVES','SQ_WAVES','Waves started','','rocm','waves','ABS','SQ','',0,0,'{}');
CREATE TABLE "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "ppid" INTEGER,
    "pid" INTEGER NOT NULL,
    "init" BIGINT,
    "fini" BIGINT,
    "start" BIGINT,
    "end" BIGINT,
    "command" TEXT,
    "environment" JSONB DEFAULT "{}" NOT NULL,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(10000,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,0,10000,1000000020000,1000000103421,1000000020000,1000000103421,'./two_streams','{}','{"ended_in_order":true}');
CREATE TABLE "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(0,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Default Queue','{}');
INSERT INTO "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Queue 0','{}');
INSERT INTO "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Queue 1','{}');
CREATE TABLE "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(0,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Default Stream','{}');
INSERT INTO "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Stream 0','{}');
INSERT INTO "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,'Stream 1','{}');
CREATE TABLE "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "ppid" INTEGER,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER NOT NULL,
    "name" TEXT,
    "start" BIGINT,
    "end" BIGINT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(10000,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,0,10000,10000,NULL,NULL,NULL,'{}');
CREATE TABLE "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "agent_id" INTEGER NOT NULL,
    "kernel_id" INTEGER NOT NULL,
    "dispatch_id" INTEGER NOT NULL,
    "queue_id" INTEGER NOT NULL,
    "stream_id" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "private_segment_size" INTEGER,
    "group_segment_size" INTEGER,
    "workgroup_size_x" INTEGER NOT NULL,
    "workgroup_size_y" INTEGER NOT NULL,
    "workgroup_size_z" INTEGER NOT NULL,
    "grid_size_x" INTEGER NOT NULL,
    "grid_size_y" INTEGER NOT NULL,
    "grid_size_z" INTEGER NOT NULL,
    "region_name_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("kernel_id") REFERENCES "rocpd_info_kernel_symbol_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,10000,1,1,1,1,1,1000000058264,1000000062566,0,0,256,1,1,65536,1,1,1,1,'{}');
INSERT INTO "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,10000,1,1,2,2,2,1000000064366,1000000068188,0,0,256,1,1,65536,1,1,1,2,'{}');
INSERT INTO "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(3,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,10000,1,1,3,1,1,1000000071883,1000000075415,0,0,256,1,1,65536,1,1,1,3,'{}');
INSERT INTO "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(4,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,10000,1,1,4,2,2,1000000077505,1000000081037,0,0,256,1,1,65536,1,1,1,4,'{}');
INSERT INTO "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(5,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1545677098,10000,10000,1,2,5,1,1,1000000083337,1000000086788,0,0,256,1,1,131072,1,1,1,5,'{}');
CREATE TABLE "rocpd_memory_allocate_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "agent_id" INTEGER,
    "type" TEXT CHECK ("type" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')),
    "level" TEXT CHECK ("level" IN ('REAL', 'VIRTUAL', 'SCRATCH')),
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "address" INTEGER,
    "size" INTEGER NOT NULL,
    "queue_id" INTEGER,
    "stream_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_memory_copy_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "name_id" INTEGER NOT NULL,
    "dst_agent_id" INTEGER,
    "dst_address" INTEGER,
    "src_agent_id" INTEGER,
    "src_address" INTEGER,
    "size" INTEGER NOT NULL,
    "queue_id" INTEGER,
    "stream_id" INTEGER,
    "region_name_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("dst_agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("src_agent_id") REFERENCES "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_metadata_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tag" TEXT NOT NULL,
    "value" TEXT NOT NULL
);
INSERT INTO "rocpd_metadata_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'schema_version','3');
INSERT INTO "rocpd_metadata_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'uuid','_75a5094d_4a74_8ad8_b04a_2f99885cf5a5');
INSERT INTO "rocpd_metadata_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(3,'guid','75a5094d-4a74-8ad8-b04a-2f99885cf5a5');
CREATE TABLE "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "event_id" INTEGER,
    "pmc_id" INTEGER NOT NULL,
    "value" REAL DEFAULT 0.0,
    "extdata" JSONB DEFAULT "{}",
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pmc_id") REFERENCES "rocpd_info_pmc_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1,2,1024.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',1,1,5120.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(3,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',2,2,1024.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(4,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',2,1,5120.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(5,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',3,2,1024.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(6,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',3,1,5120.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(7,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',4,2,1024.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(8,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',4,1,5120.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(9,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,2,2048.0,'{}');
INSERT INTO "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(10,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5',5,1,12288.0,'{}');
CREATE TABLE "rocpd_region_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "name_id" INTEGER NOT NULL,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_sample_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "track_id" INTEGER NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("track_id") REFERENCES "rocpd_track_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "string" TEXT NOT NULL UNIQUE ON CONFLICT ABORT
);
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(1,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(2,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','AMD');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(3,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','AMD Instinct MI300X');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(4,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','CPU');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(5,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','KERNEL_DISPATCH');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(6,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','MEMORY_ALLOCATION');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(7,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','MEMORY_COPY');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(8,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','MI300X');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(9,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','SCRATCH_MEMORY');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(10,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','Virtual CPU');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(11,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','_Z10add_halvesPfi.kd');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(12,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','_Z5scalePffi.kd');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(13,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','add_halves(float*, int)');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(14,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','gfx942');
INSERT INTO "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" VALUES(15,'75a5094d-4a74-8ad8-b04a-2f99885cf5a5','scale(float*, float, int)');
CREATE TABLE "rocpd_track_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "75a5094d-4a74-8ad8-b04a-2f99885cf5a5" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER,
    "tid" INTEGER,
    "name_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5" ("id") ON UPDATE CASCADE
);
CREATE VIEW "rocpd_metadata" AS SELECT * FROM "rocpd_metadata_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_string" AS SELECT * FROM "rocpd_string_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_node" AS SELECT * FROM "rocpd_info_node_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_process" AS SELECT * FROM "rocpd_info_process_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_thread" AS SELECT * FROM "rocpd_info_thread_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_agent" AS SELECT * FROM "rocpd_info_agent_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_queue" AS SELECT * FROM "rocpd_info_queue_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_stream" AS SELECT * FROM "rocpd_info_stream_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_pmc" AS SELECT * FROM "rocpd_info_pmc_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_code_object" AS SELECT * FROM "rocpd_info_code_object_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_info_kernel_symbol" AS SELECT * FROM "rocpd_info_kernel_symbol_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_track" AS SELECT * FROM "rocpd_track_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_event" AS SELECT * FROM "rocpd_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_arg" AS SELECT * FROM "rocpd_arg_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_pmc_event" AS SELECT * FROM "rocpd_pmc_event_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_region" AS SELECT * FROM "rocpd_region_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_sample" AS SELECT * FROM "rocpd_sample_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_kernel_dispatch" AS SELECT * FROM "rocpd_kernel_dispatch_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_memory_copy" AS SELECT * FROM "rocpd_memory_copy_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
CREATE VIEW "rocpd_memory_allocate" AS SELECT * FROM "rocpd_memory_allocate_75a5094d_4a74_8ad8_b04a_2f99885cf5a5";
