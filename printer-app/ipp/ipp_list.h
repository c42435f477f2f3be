/*
 * ipp_list.h - the IPP printers of the network that take our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_LIST_H
#define PRINTER_APP_IPP_LIST_H

#include <pappl/pappl.h>

/*
 * Lists, as papplDeviceList() wants it, the printers that DNS-SD finds within
 * three seconds and that say themselves that they take PWG raster of one bit,
 * which this application's own do not.
 */
bool ipp_list(pappl_device_cb_t found, void *data, pappl_deverror_cb_t error,
              void *error_data);

#endif
