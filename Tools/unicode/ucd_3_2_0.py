"""Properties of characters as Unicode 3.2.0 had them, where 14.0 differs.

Debian packages only the current database; RFC 3490 (internationalised domain
names) and RFC 3454 (stringprep) are defined in terms of 3.2.0. Each property
maps an old value to the ranges of characters that had it.
"""

OLD = {
    "category": {
        "So":
            "00A7 00B6 0F14 2118 2132",
        "Ll":
            "00AA 00BA 0294 2071 207F",
        "Pd":
            "00AD",
        "Sk":
            "02B9-02BA 02C6-02CF 02EC 0374",
        "Po":
            "05BE 166D 23B6",
        "Me":
            "06DE",
        "Lo":
            "10D0-10F8 13A0-13F4 1885-1886 A015 10341",
        "Nd":
            "1369-1371",
        "Mn":
            "1734 302E-302F",
        "Mc":
            "17B4-17B5",
        "Zs":
            "200B",
        "Nl":
            "2183",
        "Sm":
            "2308-230B",
        "Ps":
            "23B4 FD3E",
        "Pe":
            "23B5 FD3F",
        "Pc":
            "30FB FF65",
    },
    "bidirectional": {
        "ET":
            "002B 002D 207A-207B 208A-208B 2212 FB29 FE62-FE63 FF0B FF0D",
        "ES":
            "002F FF0F",
        "ON":
            "00AD 2044 2132 2800-28FF",
        "AL":
            "06DD",
        "NSM":
            "06DE 0CBF 0CC6 1734 302E-302F",
        "BN":
            "070F FFF9-FFFB",
        "L":
            "17B4-17B5 1885-1886 1D6DB 1D715 1D74F 1D789 1D7C3",
        "WS":
            "202F",
        "EN":
            "2460-2487 24EA",
    },
    "mirrored": {
        0:
            "0F3A-0F3D 169B-169C FE59-FE5E FE64-FE65 1D6DB 1D715 1D74F "
            "1D789 1D7C3",
        1:
            "29A1",
    },
    "east_asian_width": {
        "N":
            "231A-231B 25FD-25FE 2648-2653",
    },
}

# Digits that were decimal digits then: first character of a run, first value,
# length.
OLD_DECIMALS = [
    (0x00B2, 2, 2),
    (0x00B9, 1, 1),
    (0x1369, 1, 9),
    (0x2070, 0, 1),
    (0x2074, 4, 6),
    (0x2080, 0, 10),
]
