/*
 * replaced.c - finds the functions that are replaced, and calls of PAPPL's that
 * do not come to the replacements.
 *
 * PAPPL calls a function that it exports by its name, through a relocation,
 * and the first library that has the name is meant: the program, or what is
 * preloaded. A PAPPL that was linked with -Bsymbolic, or with link-time
 * optimization, calls its own in silence. So its relocations are read here: of
 * each replaced function there has to be one, and it has to lead to ours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT, dlinfo() */

#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pappl-fixes/replaced.h"

#if __ELF_NATIVE_CLASS == 64
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif

#define LIBRARY "libpappl.so.1"

typedef void function(void);

/* ---- The functions themselves -------------------------------------------- */

static struct replaced_functions real;

/* ISO C has no cast from data to functions. */
static function *find_next(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    function *found;

    memcpy(&found, &symbol, sizeof found);
    return found;
}

static void find_all(void)
{
#define FIND(name) real.name = (__typeof__(name) *)find_next(#name);
    REPLACED_ACCESS(FIND)
    REPLACED_OTHERS(FIND)
#undef FIND
}

const struct replaced_functions *replaced_functions(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_all);
    return &real;
}

/* ---- Calls of PAPPL's ---------------------------------------------------- */

static const struct replacement {
    const char *name;
    function *ours;
    bool is_access; /* says who may do what */
} replacements[] = {
#define ACCESS(name) {#name, (function *)name, true},
#define OTHER(name) {#name, (function *)name, false},
    REPLACED_ACCESS(ACCESS) REPLACED_OTHERS(OTHER)
#undef ACCESS
#undef OTHER
};

/* The dynamic section of libpappl. */
struct library {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *strings;
    ElfW(Addr) relocations[3]; /* DT_RELA, DT_REL, DT_JMPREL; 0 = none */
    size_t bytes[3];
    bool is_bound; /* each relocation is done before main() */
    bool is_symbolic;
    bool has_addends; /* DT_JMPREL is of ElfW(Rela) */
};

/* Returns an address of the dynamic section, to which not all loaders have
 * added the base. */
static ElfW(Addr) address_of(const struct library *library, ElfW(Addr) at)
{
    return at < library->base ? at + library->base : at;
}

static void read_dynamic(struct library *library, const ElfW(Dyn) * at)
{
    for (; at->d_tag != DT_NULL; at++) {
        const ElfW(Addr) address = address_of(library, at->d_un.d_ptr);
        const ElfW(Xword) value = at->d_un.d_val;

        switch (at->d_tag) {
        case DT_SYMTAB:
            library->symbols = (const ElfW(Sym) *)address;
            break;
        case DT_STRTAB:
            library->strings = (const char *)address;
            break;
        case DT_RELA:
            library->relocations[0] = address;
            break;
        case DT_RELASZ:
            library->bytes[0] = value;
            break;
        case DT_REL:
            library->relocations[1] = address;
            break;
        case DT_RELSZ:
            library->bytes[1] = value;
            break;
        case DT_JMPREL:
            library->relocations[2] = address;
            break;
        case DT_PLTRELSZ:
            library->bytes[2] = value;
            break;
        case DT_PLTREL:
            library->has_addends = value == DT_RELA;
            break;
        case DT_SYMBOLIC:
            library->is_symbolic = true;
            break;
        case DT_BIND_NOW:
            library->is_bound = true;
            break;
        case DT_FLAGS:
            library->is_symbolic |= (value & DF_SYMBOLIC) != 0;
            library->is_bound |= (value & DF_BIND_NOW) != 0;
            break;
        case DT_FLAGS_1:
            library->is_bound |= (value & DF_1_NOW) != 0;
            break;
        default:
            break;
        }
    }
}

/* Whether a call leaves the library for the name of its symbol, and finds ours
 * there. A relocation that is done when it is first used has no address yet. */
static bool is_ours(const struct library *library, const ElfW(Sym) * symbol,
                    const ElfW(Rel) * relocation, bool is_call,
                    const struct replacement *wanted)
{
    function *called;

    if (library->is_symbolic || ELF32_ST_BIND(symbol->st_info) == STB_LOCAL ||
        ELF32_ST_VISIBILITY(symbol->st_other) != STV_DEFAULT)
        return false;
    memcpy(&called, (const void *)(library->base + relocation->r_offset),
           sizeof called);
    return called == wanted->ours || (is_call && !library->is_bound);
}

/* Whether there are relocations for a name, all of which lead to ours. */
static bool is_called(const struct library *library,
                      const struct replacement *wanted)
{
    size_t found = 0;

    for (int table = 0; table < 3; table++) {
        const size_t step = table == 0 || (table == 2 && library->has_addends)
                                ? sizeof(ElfW(Rela))
                                : sizeof(ElfW(Rel));

        for (size_t at = 0; at < library->bytes[table]; at += step) {
            /* ElfW(Rela) begins as this does. */
            const ElfW(Rel) *relocation =
                (const ElfW(Rel) *)(library->relocations[table] + at);
            const ElfW(Sym) *symbol =
                &library->symbols[SYMBOL_OF(relocation->r_info)];

            if (strcmp(library->strings + symbol->st_name, wanted->name) != 0)
                continue;
            if (!is_ours(library, symbol, relocation, table == 2, wanted))
                return false;
            found++;
        }
    }
    return found > 0;
}

const char *replaced_not_called(bool access_alone)
{
    void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    struct library library = {.base = 0};
    struct link_map *map = NULL;
    const char *missing = NULL;

    if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return handle == NULL ? LIBRARY : "dlinfo";
    library.base = map->l_addr;
    read_dynamic(&library, map->l_ld);
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++)
        if ((replacements[i].is_access || !access_alone) && missing == NULL &&
            !is_called(&library, &replacements[i]))
            missing = replacements[i].name;
    dlclose(handle);
    return missing;
}

bool replaced_program_needs_pappl(void)
{
    void *handle = dlopen(NULL, RTLD_LAZY);
    struct library program = {.base = 0};
    struct link_map *map = NULL;
    bool needs = false;

    if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return false;
    program.base = map->l_addr;
    read_dynamic(&program, map->l_ld);
    for (const ElfW(Dyn) *at = map->l_ld; at->d_tag != DT_NULL; at++)
        needs =
            needs || (at->d_tag == DT_NEEDED &&
                      strcmp(program.strings + at->d_un.d_val, LIBRARY) == 0);
    dlclose(handle);
    return needs;
}
