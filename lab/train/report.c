/*
 * report.c - prints what the meter found, as a table and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/report.h"

bool report_open(struct report *report, const char *json)
{
    report->json = json ? fopen(json, "w") : NULL;
    if (json != NULL && report->json == NULL) {
        perror(json);
        return false;
    }
    if (json != NULL)
        fprintf(report->json, "{");
    return true;
}

bool report_close(struct report *report)
{
    if (report->json == NULL)
        return true;
    fprintf(report->json, "\n}\n");

    bool ok = !ferror(report->json);
    ok = fclose(report->json) == 0 && ok;
    if (!ok)
        fprintf(stderr, "the JSON file cannot be written\n");
    return ok;
}

static void write_csv(const char *path, const struct measured *measured)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        perror(path);
        return;
    }
    fprintf(file, "tone,ratio,ratio_2s,best_ratio,best_ratio_2s,texture,"
                  "anisotropy_db,rows,row_range,line_db,tone_error,"
                  "jump\n");
    for (int i = 1; i < 255; i++) {
        const struct measured *m = &measured[i];
        fprintf(file,
                "%d,%.4f,%.4f,%.4f,%.4f,%.5f,%.2f,%.3f,%.3f,%.2f,%.4f,%.5f\n",
                i, m->ratio[0], m->ratio[1], m->best_ratio[0], m->best_ratio[1],
                m->texture, m->anisotropy, m->rows, m->row_range, m->line,
                m->tone, i < 254 ? measure_jump(m, m + 1) : 0);
    }
    bool ok = !ferror(file);
    if (fclose(file) != 0 || !ok)
        perror(path);
}

/* A quantity has the name of a photo's file in it, which may be any. */
static void put_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            putc('\\', file);
        putc(c < ' ' ? '?' : c, file);
    }
    putc('"', file);
}

static void write_json(struct report *report, const char *maker,
                       const struct quality *quality,
                       const struct measured *measured)
{
    FILE *file = report->json;

    fprintf(file, "%s\n\"%s\": {\"musts\": [", report->makers ? "," : "",
            maker);
    for (int i = 0; i < quality->count; i++) {
        const struct must *m = &quality->must[i];
        fprintf(file, "%s\n  {\"quantity\": ", i ? "," : "");
        put_string(file, m->quantity);
        fprintf(file, ", \"value\": %.6g", m->value);
        if (m->stated)
            fprintf(file, ", \"%s\": %.6g, \"kept\": %s",
                    m->at_least ? "at_least" : "at_most", m->limit,
                    must_kept(m) ? "true" : "false");
        fprintf(file, "}");
    }
    fprintf(file, "],\n \"tones\": [");
    for (int i = 1; i < 255 && measured != NULL; i++) {
        const struct measured *m = &measured[i];
        fprintf(file,
                "%s\n  {\"tone\": %d, \"ratio\": [%.4f, %.4f], "
                "\"best_ratio\": [%.4f, %.4f], \"texture\": %.5f, "
                "\"anisotropy\": %.2f, \"rows\": %.3f, \"row_range\": %.3f, "
                "\"line\": %.2f, "
                "\"tone_error\": %.4f, \"rapsd\": [",
                i > 1 ? "," : "", i, m->ratio[0], m->ratio[1], m->best_ratio[0],
                m->best_ratio[1], m->texture, m->anisotropy, m->rows,
                m->row_range, m->line, m->tone);
        for (int k = 0; k < MEASURE_RINGS; k++)
            fprintf(file, "%s%.4f", k ? ", " : "", m->rapsd[k]);
        fprintf(file, "]}");
    }
    fprintf(file, "]}");
}

int report_quality(struct report *report, const char *maker,
                   const struct quality *quality,
                   const struct measured *measured)
{
    int missed = 0;

    printf("%s\n", maker);
    for (int i = 0; i < quality->count; i++) {
        const struct must *m = &quality->must[i];
        if (m->stated)
            printf("  %-52s %9.4f  must be %s %-7.4g %s\n", m->quantity,
                   m->value, m->at_least ? ">=" : "<=", m->limit,
                   must_kept(m) ? "kept" : "MISSED");
        else
            printf("  %-52s %9.4f\n", m->quantity, m->value);
        missed += !must_kept(m);
    }
    printf("  %d missed\n", missed);
    fflush(stdout);
    if (report->json != NULL)
        write_json(report, maker, quality, measured);
    if (report->tones != NULL && measured != NULL) {
        char path[4096];

        snprintf(path, sizeof path, "%s-%s.csv", report->tones, maker);
        write_csv(path, measured);
    }
    report->makers++;
    return missed;
}

void report_picture(FILE *file, const struct measured_picture *m)
{
    fprintf(file, "HVS error at S             %.4e\n", m->error[0]);
    fprintf(file, "HVS error at 2S            %.4e\n", m->error[1]);
    fprintf(file, "least over displacements   %.4e %.4e\n", m->displaced[0],
            m->displaced[1]);
    fprintf(file, "mean tone error, /255      %.4f\n", m->tone);
    for (int k = 0; k < 8; k++)
        fprintf(file, "HVS error, tones %3d-%3d   %.4e\n", 32 * k, 32 * k + 31,
                m->by_tone[k]);
}
