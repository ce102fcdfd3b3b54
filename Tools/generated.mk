# Tables that tools make at build time.
GENERATED += generated/unicode_properties.h generated/unicode_names.h
generated/unicode_properties.h generated/unicode_names.h &: $(wildcard $(srcdir)/Tools/unicode/*.py)
	PYTHONDONTWRITEBYTECODE=1 $(BUILD_PYTHON) $(srcdir)/Tools/unicode/make_database.py $(UNICODE_DATA) generated/unicode_properties.h generated/unicode_names.h
