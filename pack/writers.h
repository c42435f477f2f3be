/*
 * writers.h - all writers. To add one: a file, a line here and one in writer.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_WRITERS_H
#define PACK_WRITERS_H

#include "pack/writer.h"

extern const struct writer writer_pcl3;  /* HP PCL 3, configured: pcl3.c */
extern const struct writer writer_pcl;   /* HP PCL 5, and 3 of planes: pcl.c */
extern const struct writer writer_escp2; /* Epson ESC/P 2: escp2.c */
extern const struct writer writer_zpl;   /* Zebra ZPL II: zpl.c */
extern const struct writer writer_epl2;  /* Eltron EPL 2: epl2.c */
extern const struct writer writer_cpcl;  /* Zebra CPCL: cpcl.c */
extern const struct writer writer_dymo;  /* Dymo LabelWriter: dymo.c */

#endif
