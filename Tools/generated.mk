# Tables that tools make at build time. A build beside this one copies those that are complete.
GENERATED += generated/unicode_properties.h generated/unicode_names.h
generated/unicode_properties.h generated/unicode_names.h &: $(wildcard $(srcdir)/Tools/unicode/*.py)
	PYTHONDONTWRITEBYTECODE=1 $(BUILD_PYTHON) $(srcdir)/Tools/unicode/make_database.py $(UNICODE_DATA) generated/unicode_properties.h.tmp generated/unicode_names.h.tmp
	@for table in properties names; do mv generated/unicode_$$table.h.tmp generated/unicode_$$table.h; done
