# SPDX-License-Identifier: Apache-2.0
#
# Builds the programs that train and measure, and their tests, for the Makefile
# that includes this. GNU make alone reads it, so that the tarball can lack lab/.

LAB_CPPFLAGS = $(CUPS_CFLAGS) $(PNG_CFLAGS) $(FFTW_CFLAGS) $(LCMS_CFLAGS) \
	$(ZIMG_CFLAGS) $(CMOCKA_CFLAGS) $(CUDA_CPPFLAGS) \
	-DCUPS_SERVERBIN='"$(cups_system_serverbin)"' \
	-DBENCH_SOURCE='"$(abs_top_srcdir)"' -DBENCH_FLAGS='"$(CFLAGS)"' \
	-DDATA='"$(abs_srcdir)/halftone/tables"'
LAB_LIBS = libhalftone.a libbase.a $(CUPS_LIBS) $(PNG_LIBS) $(FFTW_LIBS) \
	$(LCMS_LIBS) -lpthread -lm
LAB_LINK = $(AM_V_CCLD)$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(LAB_LIBS)

lab/%.o: lab/%.c
	$(AM_V_CC)$(MKDIR_P) $(@D) && \
	$(COMPILE) $(LAB_CPPFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
-include $(wildcard lab/*/*.d lab/*/*/*.d)

# lab_objects FOLDER - of all sources there but programs and tests.
lab_objects = $(patsubst $(srcdir)/%.c,%.o,$(filter-out %_main.c \
	$(srcdir)/lab/train/test_%.c $(srcdir)/lab/bench/gpu_%.c,$(wildcard $(srcdir)/$1/*.c)))
lab/libtrain.a: $(call lab_objects,lab/train) $(call lab_objects,lab/train/peers)
lab/libbench.a: $(call lab_objects,lab/bench)
lab/libtrain.a lab/libbench.a:
	$(AM_V_AR)rm -f $@ && $(AR) $(ARFLAGS) $@ $^ && $(RANLIB) $@

# ---- train/: makes and judges the tables ---------------------------------------

ifneq ($(FFTW_LIBS),)
lab_train = lab/train/dbs lab/train/train lab/train/meter lab/train/plot \
	lab/train/profile lab/train/raster_tints lab/train/seen \
	lab/train/tints
$(lab_train): lab/train/%: lab/train/%_main.o lab/libtrain.a libtools.a \
		libpage.a libhalftone.a libbase.a
	$(LAB_LINK)
ifneq ($(CMOCKA_LIBS),)
lab_unit_tests = lab/train/test_train lab/train/test_meters \
	lab/train/test_color lab/train/test_evenness lab/train/test_profile \
	lab/train/test_round
$(lab_unit_tests): %: %.o lab/libtrain.a libtools.a libpage.a libtest.a \
		libhalftone.a libbase.a
	$(LAB_LINK) $(CMOCKA_LIBS)
# As automake's own rules for tests without an ending.
$(lab_unit_tests:=.log): %.log: %
	@p='$<'; b='$*'; \
	$(am__check_pre) $(LOG_DRIVER) --test-name "$$f" --log-file $$b.log \
	--trs-file $$b.trs $(am__common_driver_flags) $(AM_LOG_DRIVER_FLAGS) \
	$(LOG_DRIVER_FLAGS) -- $(LOG_COMPILE) "$$tst" $(AM_TESTS_FD_REDIRECT)
endif
# Ahead of the others, as they take long.
TESTS := lab/train/train.test $(lab_unit_tests) $(TESTS)
lab/train/train.log: $(lab_train)

# The pattern and tables in halftone/tables/ from nothing, compared with what is
# checked in.
tables: lab/train/dbs lab/train/train
lab_tables = $(srcdir)/lab/train/make-tables lab/train \
	$(srcdir)/halftone/tables tables

# The rows of lab/doc/quality.md on round dots; try QUALITY_TABLES='A.table B.table'.
quality: lab/train/meter
lab_quality = $(srcdir)/lab/train/make-quality lab/train $(QUALITY_TABLES)

# The figures and the other numbers of lab/doc/quality.md; try
# METER_OPTIONS='--photo camera.pgm:1.30 --jobs 1'.
figures: lab/train/dbs lab/train/meter lab/train/plot tools/halftone tools/raster-preview \
		filter/rastertohalftone
lab_figures = $(srcdir)/lab/train/make-figures lab/train \
	$(srcdir)/halftone/tables tables/work $(srcdir)/lab/doc/figures \
	$(METER_OPTIONS) && \
	$(srcdir)/lab/doc/make-comparison tools/halftone $(srcdir)/lab/doc/figures
endif

# ---- bench/ --------------------------------------------------------------------

lab_bench_programs = lab/bench/halftone-bench lab/bench/make-pages \
	lab/bench/null-filter lab/bench/separation-bench
ifneq ($(opencl_texts),)
lab_bench_programs += lab/bench/opencl-bench
lab/bench/opencl-bench: $(gpu_opencl_halftone_opencl_so_OBJECTS)
endif
$(lab_bench_programs): lab/libbench.a libprinterapp.a libpage.a libcolor.a \
		libhalftone.a libbase.a
	$(LAB_LINK) $(ZIMG_LIBS)
lab/bench/halftone-bench: lab/bench/halftone_bench_main.o
lab/bench/make-pages: lab/bench/make_pages_main.o
lab/bench/null-filter: lab/bench/null_filter_main.o
lab/bench/opencl-bench: lab/bench/opencl_bench_main.o
lab/bench/separation-bench: lab/bench/separation_bench_main.o
TESTS += lab/bench/null_filter.test lab/bench/option_cost.test
lab/bench/null_filter.log: lab/bench/null-filter

bench: lab/bench/halftone-bench lab/bench/null-filter filter/rastertohalftone
lab_bench = lab/bench/halftone-bench $(BENCH_OPTIONS)

# On a machine with a GPU: test/gpu/gpu-check runs these.
lab_gpu = lab/bench/gpu-bench lab/bench/gpu-stream
lab/bench/gpu-bench: lab/bench/gpu_bench_main.o lab/bench/gpu_page.o \
	$(gpu_launches) gpu/cuda/tdfed/halftone_cuda_so-lookup.$(OBJEXT) $(gpu_kernels)
lab/bench/gpu-stream: lab/bench/gpu_stream_main.o
$(lab_gpu): lab/libbench.a libhalftone.a libbase.a
	$(LAB_LINK) $(CUDA_LIBS) -lstdc++

# ---- All of it, as "make check" builds it so that it goes on building ------------

.PHONY: lab
lab: $(lab_train) $(lab_unit_tests) $(lab_bench_programs)
check_PROGRAMS += $(lab_train) $(lab_unit_tests) $(lab_bench_programs)
CLEANFILES += lab/*.a lab/*/*.o lab/*/*/*.o lab/*/*.d lab/*/*/*.d $(lab_train) \
	$(lab_unit_tests) $(lab_bench_programs) $(lab_gpu)
