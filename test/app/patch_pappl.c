/*
 * patch_pappl.c - makes a copy of libpappl call its own functions, as if it was
 * linked in another way: patch-pappl FILE SYMBOL does that to calls of one
 * function, as link-time optimization does; patch-pappl FILE -Bsymbolic to all
 * that it has. Status 77: the file is of another kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *file;
static const Elf64_Dyn *dynamic;

/* Ends the program; other calls do not return. */
static void give_up(const char *why)
{
    fprintf(stderr, "patch-pappl: %s\n", why);
    exit(77);
}

/* Reads the whole file, and returns its size. */
static size_t read_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    long size = -1;

    if (from != NULL && fseek(from, 0, SEEK_END) == 0)
        size = ftell(from);
    if (size < (long)sizeof(Elf64_Ehdr))
        give_up("cannot read the file");
    rewind(from);
    file = malloc((size_t)size);
    if (file == NULL || fread(file, 1, (size_t)size, from) != (size_t)size)
        give_up("cannot read the file");
    fclose(from);
    return (size_t)size;
}

/* Returns the type of a relocation by the base alone; 0: it is not known. */
static unsigned relative_type(const Elf64_Ehdr *header)
{
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return 0;
    return header->e_machine == EM_X86_64    ? R_X86_64_RELATIVE
           : header->e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE
                                             : 0;
}

/* Returns what is loaded to an address. */
static char *at_address(Elf64_Addr address)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(file + header->e_phoff);

    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && address >= part[i].p_vaddr &&
            address < part[i].p_vaddr + part[i].p_filesz)
            return file + part[i].p_offset + (address - part[i].p_vaddr);
    give_up("an address is not in the file");
    return NULL;
}

static void find_dynamic(void)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(file + header->e_phoff);

    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(file + part[i].p_offset);
    if (dynamic == NULL)
        give_up("the file is not linked dynamically");
}

/* Returns a value of the dynamic section; 0: there is none. */
static Elf64_Xword find(Elf64_Sxword tag)
{
    for (const Elf64_Dyn *at = dynamic; at->d_tag != DT_NULL; at++)
        if (at->d_tag == tag)
            return at->d_un.d_val;
    return 0;
}

/* Binds relocations for a function of the file, or for all (NULL), to that
 * function, without its name. Returns how many. */
static int bind(Elf64_Sxword table, Elf64_Sxword bytes, unsigned type,
                const char *name)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)at_address(find(DT_SYMTAB));
    const char *names = at_address(find(DT_STRTAB));
    int done = 0;

    if (find(table) == 0)
        return 0;
    Elf64_Rela *at = (Elf64_Rela *)at_address(find(table)),
               *end = at + find(bytes) / sizeof *at;

    for (; at < end; at++) {
        const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(at->r_info)];

        if (symbol->st_shndx == SHN_UNDEF ||
            ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
            (name != NULL && strcmp(names + symbol->st_name, name) != 0))
            continue;
        at->r_info = ELF64_R_INFO(0, type);
        at->r_addend = (Elf64_Sxword)symbol->st_value;
        done++;
    }
    return done;
}

int main(int argc, char *argv[])
{
    if (argc != 3)
        give_up("usage: patch-pappl FILE SYMBOL|-Bsymbolic");
    const char *name = strcmp(argv[2], "-Bsymbolic") != 0 ? argv[2] : NULL;
    const size_t size = read_file(argv[1]);
    const unsigned type = relative_type((const Elf64_Ehdr *)file);

    if (type == 0)
        give_up("the file is of another kind of computer");
    find_dynamic();
    if (bind(DT_RELA, DT_RELASZ, type, name) +
            bind(DT_JMPREL, DT_PLTRELSZ, type, name) ==
        0)
        give_up("the library does not call it by its name");

    FILE *to = fopen(argv[1], "wb");

    if (to == NULL || fwrite(file, 1, size, to) != size || fclose(to) != 0)
        give_up("cannot write the file");
    return 0;
}
