/*
 * collections.h - collections of IPP, which several messages may have at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_COLLECTIONS_H
#define PRINTER_APP_OVERRIDES_COLLECTIONS_H

/* Keep collections as they are for other threads, while one shares some or lets
 * them go; a thread may do so again meanwhile. */
void collections_lock(void);
void collections_unlock(void);

#endif
