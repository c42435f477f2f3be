# options.awk - makes a file of what options.txt says of the options:
#
#   awk -f options.awk -v file=NAME options.txt [TEMPLATE]
#   awk -f options.awk -v file=...-LANGUAGE.strings options.txt STRINGS WORDS
#
# NAME is
#
#   options.inc            the table of page/option.c
#   vendor.inc             the table of printer-app/ipp/vendor.c
#   ...-options.defs       the filter's options in our PPDs, for ppdc
#   ...-rip.defs           the RIP's
#   ...-GROUP.defs         those of a group
#   ...-labels.defs        the filter's, as label printers have them
#   rastertohalftone.7, halftone-printer-app.8    entries of the manual pages
#   en.strings, de.strings...                     words of the application's pages
#   ...-de.strings...      the catalogs of our PPDs, for ppdc: besides the options'
#                          words those of WORDS, ppd/words.txt, which may take them
#                          from STRINGS, the application's
#   options.md             the table in doc/user/options.md
#
# and replaces the line of the TEMPLATE that has "@options@", or what stands
# between two lines with "options begin" and "options end".
#
# SPDX-License-Identifier: Apache-2.0

function fail(text)
{
    print FILENAME ": " text >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- Reading -----------------------------------------------------------------

# has[option, field], and of choices value[option, i], text[option, i] and
# is_choice[option, i], i from 1 to values[option].
function take(field, rest,    word)
{
    if (field == "option") {
        option = rest
        names[++options] = rest
        return
    }
    if (field == "application") {
        has[field] = rest
        return
    }
    if (!((" " fields " ") ~ (" " field " ")))
        fail(option " has an unknown field: " field)
    if (field != "choice" && field != "offer") {
        has[option, field] = rest
        return
    }
    word = rest
    sub(/ .*/, "", word)
    values[option]++
    value[option, values[option]] = word
    text[option, values[option]] = substr(rest, length(word) + 2)
    is_choice[option, values[option]] = field == "choice"
}

function take_line()
{
    if (line != "")
        take(substr(line, 1, index(line " ", " ") - 1), \
            substr(line, index(line " ", " ") + 1))
    line = ""
}

BEGIN {
    languages = split("en de es fr", language, " ")
    fields = "id kind from unknown default preset labels range custom group order label " \
        "choice offer code ipp en de es fr man app table"
}

FNR == NR && /^#/ { next }
FNR == NR && /^ / { sub(/^ +/, ""); line = line " " $0; next }
FNR == NR { take_line(); line = $0; next }

FNR == 1 && !ended++ { end_options() }
is_catalog() { take_words(); next }
/@options@/ { print_part(); next }
/<!-- options end/ { inside = 0 }
!inside { print }
/<!-- options begin/ { inside = 1; print_part() }

END {
    if (failed)
        exit 1
    if (NR == FNR) {
        end_options()
        print_part()
    } else if (is_catalog())
        print_part()
}

# ---- What an option has ------------------------------------------------------

function given(o, field) { return has[o, field] != "" }
function is_number(o) { return has[o, "kind"] ~ /^(number|whole)$/ }
function from(o, who) { return (" " has[o, "from"] " ") ~ (" " who " ") }
# In which of the PPDs' files it is.
function group(o)
{
    return given(o, "group") ? has[o, "group"] : from(o, "RIP") ? "rip" : "options"
}
# The preset of label printers.
function labels(o) { return has[o, given(o, "labels") ? "labels" : "preset"] }
function unit(o,    word)
{
    return split(has[o, "ipp"], word, " ") > 1 ? word[2] : 1
}
function ipp(o,    word)
{
    split(has[o, "ipp"], word, " ")
    return word[1]
}

# The choices, or what is offered, too, with `between` between them.
function listed(o, between, offers,    i, list)
{
    for (i = 1; i <= values[o]; i++)
        if (offers == !is_choice[o, i])
            list = list (list == "" ? "" : between) value[o, i]
    return list
}
function low(o,    limit) { split(has[o, "range"], limit, " "); return limit[1] }
function high(o,    limit) { split(has[o, "range"], limit, " "); return limit[2] }

# "TextAndGraphic" and "text-and-graphic" are TEXT_AND_GRAPHIC, "OpenCL" OPENCL.
function constant(word,    i, name)
{
    for (i = 1; i <= length(word); i++) {
        if (i > 1 && substr(word, i) ~ /^[A-Z][a-z]/)
            name = name "_"
        name = name substr(word, i, 1)
    }
    gsub(/-/, "_", name)
    return toupper(name)
}

# ---- C -----------------------------------------------------------------------

function quoted(o, field)
{
    return given(o, field) ? ", ." (field == "default" ? "fallback" : field) \
        " = \"" has[o, field] "\"" : ""
}

# The label, or the words of choice i, in each language.
function print_texts(o, i,    k, list)
{
    for (k = 1; k <= languages; k++)
        list = list (k > 1 ? ", " : "") "\"" word(o, language[k], i) "\""
    printf "{%s}", list
}

function print_table(o,    id, who, i, count)
{
    split(has[o, "id"], id, " ")
    count = split(has[o, "from"], who, " ")
    printf "[OPTION_%s] = {\n    .name = \"%s\", .kind = OPTION_%s, .from = ", \
        id[1], o, toupper(has[o, "kind"])
    for (i = 1; i <= count; i++)
        printf "%sOPTION_OF_%s", (i > 1 ? " | " : ""), toupper(who[i])
    printf "%s%s%s%s", given(o, "unknown") ? ", .ignores = true" : "", \
        quoted(o, "default"), quoted(o, "preset"), quoted(o, "labels")
    if (given(o, "range"))
        printf ",\n    .low = %s, .high = %s", low(o), high(o)
    print_values(o, id[2] != "" ? id[2] : id[1])
    print "},"
}

# Choices that are numbers have no constants, and stand in their order.
function print_values(o, prefix,    i)
{
    if (listed(o, " ", 0) != "") {
        printf ",\n    .choices = {"
        for (i = 1; i <= values[o]; i++)
            if (is_choice[o, i])
                printf "%s\"%s\", ", value[o, i] ~ /^[0-9]/ ? "" : \
                    "[" prefix "_" constant(value[o, i]) "] = ", value[o, i]
        printf "}"
    }
    if (given(o, "label")) {
        printf ",\n    .label = "
        print_texts(o, 0)
        printf ",\n    .offers = {"
        for (i = 1; i <= values[o]; i++) {
            printf "\n        {\"%s\", ", value[o, i]
            print_texts(o, i)
            printf "}, "
        }
        printf "}"
    }
}

function print_vendor(o,    id)
{
    split(has[o, "id"], id, " ")
    printf "{OPTION_%s, \"%s\", %s},\n", id[1], ipp(o), unit(o)
}

# ---- PPDs --------------------------------------------------------------------

function print_drv(o, start,    i, code, number)
{
    printf "\nOption \"%s/%s\" PickOne AnySetup %d\n", o, has[o, "label"], \
        given(o, "order") ? has[o, "order"] : 30
    for (i = 1; i <= values[o]; i++) {
        code = has[o, "code"]
        if (index(code, value[o, i] " ") != 1)
            code = ""
        printf "  %sChoice \"%s/%s\" \"%s\"\n", \
            (value[o, i] == start ? "*" : ""), value[o, i], \
            text[o, i], substr(code, length(value[o, i]) + 2)
    }
    if (!given(o, "custom"))
        return
    # A custom choice's number is on PostScript's stack.
    number = has[o, "kind"] == "whole" ? "int" : "real"
    printf "Attribute Custom%s True \"pop\"\n", o
    printf "Attribute ParamCustom%s \"Number/%s\" \"1 %s %s\"\n", o, \
        has[o, "custom"], number, has[o, "range"]
}

# ---- Words of languages ------------------------------------------------------

# The label in our PPDs, or the words of choice i. A number's first words are the
# application's.
function word(o, language, i,    words)
{
    split(language == "en" ? "" : has[o, language], words, / *\| */)
    i = i + 1 + is_number(o)
    return words[i] != "" ? words[i] : \
        i == 1 + is_number(o) ? has[o, "label"] : text[o, i - 1 - is_number(o)]
}

function print_words(o, language,    words, i)
{
    split(has[o, language], words, / *\| */)
    printf "\"%s\" = \"%s\";\n", ipp(o), \
        words[1] != "" ? words[1] : word(o, language, 0)
    for (i = 1; i <= values[o] && !is_number(o); i++)
        printf "\"%s.%s\" = \"%s\";\n", ipp(o), tolower(value[o, i]), \
            words[i + 1] != "" ? words[i + 1] : word(o, language, i)
}

function is_catalog() { return file ~ /-..[.]strings$/ }
function catalog_language() { return substr(file, length(file) - 9, 2) }

# A text has one translation only: ppdc takes the last.
function say(english, translated)
{
    if (said[english] != "" && said[english] != translated)
        fail("two translations of " english ": " said[english] ", " translated)
    if (said[english] == "")
        printf "\"%s\" = \"%s\";\n", english, translated
    said[english] = translated
}

# A line of the application's strings, or of ppd/words.txt: k is the translation.
function take_words(    part, i, k)
{
    if (split($0, part, "\"") == 5) {
        strings[part[2]] = part[4]
        return
    }
    if (/^#/ || /^$/ || /^@/ || /^"/)
        return
    if (split($0, part, / = /) == 2) {
        k = strings[part[2]]
        if (k == "")
            fail("the application has no \"" part[2] "\"")
    } else
        split($0, part, / *[|] */)
    for (i = 2; i <= languages && k == ""; i++)
        if (language[i] == catalog_language())
            k = part[i] != "" ? part[i] : part[1]
    if (part[1] ~ /^,/) {
        endings[++ending] = substr($0, 1, index($0, " |") - 1)
        translated_ending[ending] = k
        return
    }
    say(part[1], k)
    for (i = 1; i <= ending; i++)
        say(part[1] endings[i], k translated_ending[i])
}

function print_catalog(o,    i)
{
    if (!given(o, "label"))
        return
    say(has[o, "label"], word(o, catalog_language(), 0))
    for (i = 1; i <= values[o]; i++)
        say(text[o, i], word(o, catalog_language(), i))
}

# ---- Manual pages ------------------------------------------------------------

# Sentences begin on lines of their own, as roff wants them.
function print_roff(prose, preset, fallback,    i, n, part, roff)
{
    gsub(/[{]default[}]/, fallback, prose)
    gsub(/[{]preset[}]/, preset, prose)
    n = split(prose, part, "`")
    for (i = 1; i <= n; i++) {
        if (i % 2 == 1)
            gsub(/[.] /, ".\n", part[i])
        else
            gsub(/-/, "\\-", part[i])
        roff = roff (i == 1 ? "" : i % 2 == 0 ? "\\fB" : "\\fP") part[i]
    }
    print roff
}

function print_entry(name, alternatives)
{
    gsub(/-/, "\\-", name)
    print ".TP\n.BR " name " =" alternatives
}

function print_man(o,    list)
{
    list = " " listed(o, " | ", 0)
    if (is_number(o))
        list = low(o) ".." high(o)
    if (has[o, "kind"] == "name")
        list = list " | \\fIname\\fP"
    if (has[o, "kind"] == "cmyk")
        list = list " | \\fIC\\fP , \\fIM\\fP , \\fIY\\fP , \\fIK\\fP"
    print_entry(o, list)
    print_roff(has[o, "man"], has[o, "preset"], has[o, "default"])
}

function print_app(o,    list, offers, start)
{
    list = " " listed(o, " | ", 0)
    offers = listed(o, " | ", 1)
    if (is_number(o))
        list = low(o) * unit(o) ".." high(o) * unit(o)
    else if (offers != "")
        list = list " | " offers
    print_entry(ipp(o), tolower(list))
    start = given(o, "preset") ? has[o, "preset"] : has[o, "default"]
    print_roff(has[o, "app"], "", is_number(o) ? start * unit(o) : \
        tolower(start))
}

# ---- The table of options.md -------------------------------------------------

function print_rows(    i)
{
    print "\n| option | application | web page | choices | |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= options; i++)
        if (given(names[i], "table"))
            print_row(names[i])
    print ""
}

function print_row(o,    cell, start, marked, name)
{
    start = given(o, "preset") && !is_number(o) ? has[o, "preset"] : \
        has[o, "default"]
    marked = "**" start "**"
    if (start != has[o, "default"])
        marked = marked " (in other PPDs " has[o, "default"] ")"
    if (given(o, "labels"))
        marked = marked " (of label printers " has[o, "labels"] ")"
    if (!is_number(o)) {
        cell = ", " listed(o, ", ", 0) ","
        sub(", " start ",", ", " marked ",", cell)
        cell = substr(cell, 3, length(cell) - 3)
    } else if (start == low(o))
        cell = marked " to " high(o)
    else
        cell = low(o) " to " high(o) " (" marked ")"
    if (has[o, "kind"] == "name")
        cell = cell ", a name"
    if (has[o, "kind"] == "cmyk")
        cell = cell ", four numbers"
    name = ipp(o) == "" ? "" : "`" ipp(o) "`"
    if (unit(o) != 1)
        name = name ", times " unit(o)
    printf "| `%s` | %s | %s | %s | %s |\n", o, name, has[o, "label"], cell, \
        has[o, "table"]
}

# ---- All ---------------------------------------------------------------------

function print_one(o)
{
    if (file == "options.inc")
        print_table(o)
    else if (file == "vendor.inc")
        print_vendor(o)
    else if (file ~ /[.]defs$/) {
        if (given(o, "preset") && file ~ "-" group(o) "[.]defs$")
            print_drv(o, has[o, "preset"])
        if (given(o, "preset") && group(o) == "options" && file ~ /-labels[.]/)
            print_drv(o, labels(o))
    } else if (file ~ /[.]7$/) {
        if (given(o, "man"))
            print_man(o)
    } else if (file ~ /[.]8$/)
        print_app(o)
    else if (is_catalog())
        print_catalog(o)
    else
        print_words(o, substr(file, 1, 2))
}

# The application has an order of its own.
function print_part(    i, k, count, application)
{
    if (file ~ /[.]md$/) {
        print_rows()
        return
    }
    if (file !~ /^vendor|[.]8$|[.]strings$/ || is_catalog()) {
        for (i = 1; i <= options; i++)
            print_one(names[i])
        return
    }
    count = split(has["application"], application, " ")
    for (i = 1; i <= count; i++)
        for (k = 1; k <= options; k++)
            if (ipp(names[k]) == application[i])
                print_one(names[k])
}

# An option of ours that a user may set is in every document.
function check(o,    ours, i)
{
    ours = o ~ /^Halftone/
    if (ours && has[o, "from"] != "PPD")
        need(o, "table")
    if (ours && from(o, "job"))
        need_default(o, "man")
    if (given(o, "default") && !is_number(o))
        need_value(o, "default")
    for (i = 1; i <= values[o]; i++)
        if (text[o, i] ~ /:/)
            fail(o ": a colon ends the words of " value[o, i])
    if (given(o, "preset")) {
        need(o, "label")
        need_value(o, "preset")
    }
    if (given(o, "labels"))
        need_value(o, "labels")
    if (given(o, "label") || given(o, "ipp"))
        for (i = 2; i <= languages; i++)
            need_words(o, language[i])
    if (!given(o, "ipp"))
        return
    if (given(o, "en") || !given(o, "label"))
        need_words(o, "en")
    if (!((" " has["application"] " ") ~ (" " ipp(o) " ")))
        fail("\"application\" does not list " ipp(o))
    need_default(o, "app")
}

function need_default(o, field)
{
    need(o, field)
    if (!index(has[o, field], "{default}"))
        fail(o ": \"" field "\" does not say {default}")
}

function need_words(o, language,    words)
{
    need(o, language)
    if (has[o, language] ~ /:/)
        fail(o ": a colon ends the words in \"" language "\"")
    if (!is_number(o) && split(has[o, language], words, "|") != values[o] + 1)
        fail(o ": not one word in \"" language "\" for each choice")
}

function need_value(o, field,    i)
{
    for (i = 1; i <= values[o]; i++)
        if (value[o, i] == has[o, field])
            return
    fail(o ": \"" field "\" is no choice")
}

function need(o, field)
{
    if (!given(o, field))
        fail(o " has no \"" field "\"")
}

function end_options(    i)
{
    take_line()
    for (i = 1; i <= options; i++)
        check(names[i])
}
