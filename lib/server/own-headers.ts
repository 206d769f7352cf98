import { usesHttps } from '@/lib/auth/session-cookie'
import type { Env } from '@/lib/env'
import { COMMON_HEADERS } from '@/lib/http/common-headers.mjs'

/**
 * A year; without `includeSubDomains`, since other hosts may not be under the operator's control.
 */
const TRANSPORT_SECURITY = { 'strict-transport-security': 'max-age=31536000' }

/** Under HTTPS all responses, files and redirects too, make browsers use HTTPS only. */
export const transportHeaders = (
  settings: Pick<Env, 'APP_URL' | 'PORT'>,
): Record<string, string> => (usesHttps(settings) ? TRANSPORT_SECURITY : {})

/** Of every response of the API; their names are in lower case. */
export const apiHeaders = (settings: Pick<Env, 'APP_URL' | 'PORT'>): [string, string][] => [
  ...Object.entries(COMMON_HEADERS).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    value,
  ]),
  ...Object.entries(transportHeaders(settings)),
]
