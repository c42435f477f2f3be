/*
 * text.c - small texts that are not trusted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halftone/base/text.h"

#define MAX_DIGITS 9 /* on each side of the point */

bool text_next(struct text *text)
{
    text->number++;
    if (text->size == 0)
        return false;

    const char *end = memchr(text->rest, '\n', text->size);
    size_t length = end ? (size_t)(end - text->rest) : text->size;
    size_t taken = end ? length + 1 : length;
    if (length > 0 && text->rest[length - 1] == '\r')
        length--;
    if (length > TEXT_MAX_LINE || memchr(text->rest, '\0', length) != NULL)
        return false;
    memcpy(text->line, text->rest, length);
    text->line[length] = '\0';
    text->rest += taken;
    text->size -= taken;
    return true;
}

bool text_begins(const char *line, const char *word)
{
    size_t length = strlen(word);

    return strncmp(line, word, length) == 0 &&
           (line[length] == '\0' || strchr(TEXT_BLANKS, line[length]) != NULL);
}

/* Does text_read() of an open file. */
static ssize_t read_regular(int fd, char *text, size_t capacity)
{
    struct stat info;
    size_t size = 0;

    if (fstat(fd, &info) != 0)
        return -1;
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return -1;
    }
    while (size < capacity) {
        ssize_t got = read(fd, text + size, capacity - size);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        size += (size_t)got;
    }
    return (ssize_t)size;
}

ssize_t text_read(const char *path, char *text, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return -1;
    ssize_t size = read_regular(fd, text, capacity);
    int error = errno;
    close(fd);
    errno = error;
    return size;
}

const char *text_error(int error)
{
    if (error == ELOOP)
        return "A symbolic link, not a file";
    if (error == EINVAL)
        return "Not a regular file";
    return strerror(error);
}

/* Appends digits of `*text` to `*value` and goes behind them. Returns how many
 * there were, MAX_DIGITS + 1 for more. */
static int take_digits(const char **text, double *value)
{
    int digits = 0;

    for (; **text >= '0' && **text <= '9' && digits <= MAX_DIGITS;
         ++*text, digits++)
        *value = *value * 10 + (**text - '0');
    return digits;
}

bool text_decimal(const char *text, double low, double high, double *out)
{
    double value = 0, scale = 1;
    int whole = take_digits(&text, &value), fraction = 0;

    if (*text == '.') {
        text++;
        fraction = take_digits(&text, &value);
    }
    if (*text != '\0' || whole + fraction < 1 || whole > MAX_DIGITS ||
        fraction > MAX_DIGITS)
        return false;
    for (; fraction > 0; fraction--)
        scale *= 10;
    value /= scale;
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}
