import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { names, title } from './setting-types'

/** Values of a claim or names of groups, exact or with `*` at the end, and the roles that each gives. */
export type RolesMap = { value: string; isPrefix: boolean; roles: string[] }[]

/** A provider by which people sign in (OpenID Connect), as the settings `OIDC_<NAME>_…` describe it. */
export type OidcProvider = {
  /** In lower case, as in addresses. */
  name: string
  issuer: string
  clientId: string
  /** Null for a public client, which PKCE alone protects. */
  clientSecret: string | null
  /** What its button says after "Sign in with". */
  label: string
  scopes: string
  rolesClaim: string
  rolesMap: RolesMap
  /** `provider`: roles are those of the claim at each sign-in; `new-users`: only those of users it makes. */
  rolesSource: 'provider' | 'new-users'
  /** Of emails that it is trusted to have verified, in lower case; `*`: of all. */
  domains: string[]
  /** The role of users that are made at their first sign-in; null: only users who are invited sign in. */
  newUserRole: string | null
  /** Values of `acr` or `amr` that say that a second factor was checked. */
  secondFactor: string[]
  /** Who signs out here leaves the provider, too. */
  signsOutThere: boolean
}

/** Meant as `off`, or the role of callers without a credential: neither makes users. */
export const NO_ROLE = /^(off|false|no|none|0|anonymous)$/i

const FIELDS = z.object({
  ISSUER: z.string().refine(isIssuer, 'must look like https://login.example.com/realms/main'),
  CLIENT_ID: z.string().trim().min(1).max(500),
  CLIENT_SECRET: z.string().min(1).max(2_000).optional(),
  LABEL: title().optional(),
  SCOPES: z
    .string()
    .regex(
      /^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      'must be openid and others, with blanks between',
    )
    .default('openid email profile'),
  ROLES_CLAIM: z.string().trim().min(1).max(200).default('groups'),
  ROLES_MAP: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const map = readRolesMap(text)
      if (map) return map
      context.addIssue('must look like {"engine-admins":"ADMIN","staff-*":["EDITOR","Clerk"]}')
      return z.NEVER
    }),
  ROLES_SOURCE: z
    .enum(['provider', 'new-users'], 'must be provider or new-users')
    .default('new-users'),
  DOMAINS: names().pipe(
    z.array(
      z
        .string()
        .toLowerCase()
        .regex(/^(\*|[a-z\d-]+(\.[a-z\d-]+)+)$/, 'must be like example.com, each, or *'),
    ),
  ),
  NEW_USERS: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .refine(
      (role) => role === 'off' || !NO_ROLE.test(role),
      'must be off, or a role that users may have',
    )
    .default('off'),
  SECOND_FACTOR: names(),
  SIGN_OUT: z.enum(['local', 'provider'], 'must be local or provider').default('local'),
})
type Field = keyof typeof FIELDS.shape
const FIELD_NAMES = Object.keys(FIELDS.shape) as Field[]

/** HTTP only on this machine: elsewhere, anyone between could sign in as anyone. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, username, search, hash } = new URL(text)
  // The address of what an issuer says about itself is not the issuer, which links and logouts name.
  if (username || search || hash || pathname.includes('/.well-known/')) return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const roleName = z.string().trim().min(1).max(64)
const rolesMap = z.record(
  z.string().min(1).max(500),
  z.union([roleName.transform((role) => [role]), z.array(roleName).min(1).max(32)]),
)

export function readRolesMap(text: string): RolesMap | null {
  const { data } = rolesMap.safeParse(parseJson(text))
  if (!data) return null
  return Object.entries(data).map(([value, roles]) => {
    const isPrefix = value.endsWith('*')
    return { value: isPrefix ? value.slice(0, -1) : value, isPrefix, roles }
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON
  }
}

type Source = Readonly<Record<string, string | undefined>>
type Providers = { providers: OidcProvider[]; problems: string[] }

/** The providers that the settings name, in the order of their names. `problems` never show a value. */
export function readOidcProviders(source: Source): Providers {
  const groups: Record<string, Record<string, string>> = {}
  const problems: string[] = []
  for (const [key, value] of Object.entries(source)) {
    if (!key.startsWith('OIDC_') || key === OF_ALL || !value?.trim() || SECRET_FILE.test(key))
      continue
    const [, name, field = ''] = /^OIDC_([A-Z0-9]+)_([A-Z_]+)$/.exec(key) ?? []
    if (!name || !isField(field)) problems.push(`${key}: ${unknownSetting(name, field)}`)
    else groups[name] = { ...groups[name], [field]: value.trim() }
  }
  const names = Object.keys(groups).sort()
  const read = names.map((name) => readProvider(name, groups[name] ?? {}))
  return {
    providers: read.flatMap(({ provider }) => provider ?? []),
    problems: [...problems, ...read.flatMap(({ faults }) => faults)],
  }
}

/** Concerns all providers. */
const OF_ALL = 'OIDC_RECHECK'

/** The names of secrets that a file may hold. */
export const SECRET_FILE = /^OIDC_[A-Z0-9]+_CLIENT_SECRET(?=_FILE$)/

const isField = (text: string): text is Field => text in FIELDS.shape

function unknownSetting(name: string | undefined, field: string): string {
  if (!name) return 'is none of the settings of a provider, which are OIDC_<NAME>_ISSUER and so on'
  const near = closest(field, FIELD_NAMES)
  const isNear = distance(field, near) <= 3
  return `is no setting of a provider${isNear ? `; did you mean OIDC_${name}_${near}?` : ''}`
}

type ReadProvider = { provider: OidcProvider | null; faults: string[] }

function readProvider(name: string, fields: Record<string, string>): ReadProvider {
  const { data, error } = FIELDS.safeParse(fields)
  const faults = (error?.issues ?? []).map(({ path, message }) => {
    const field = String(path[0])
    return `OIDC_${name}_${field}: ${field in fields ? message : 'is missing'}`
  })
  if (!data) return { provider: null, faults }
  const makesUsers = data.NEW_USERS !== 'off'
  if (makesUsers && data.DOMAINS.length === 0)
    faults.push(`OIDC_${name}_DOMAINS: is missing, and says who become users (* for everyone)`)
  if (data.ROLES_SOURCE === 'provider' && data.ROLES_MAP.length === 0)
    faults.push(`OIDC_${name}_ROLES_MAP: is missing, though roles come from the provider`)
  const provider: OidcProvider = {
    name: name.toLowerCase(),
    issuer: data.ISSUER,
    clientId: data.CLIENT_ID,
    clientSecret: data.CLIENT_SECRET ?? null,
    label: data.LABEL ?? `${name.charAt(0)}${name.slice(1).toLowerCase()}`,
    scopes: data.SCOPES,
    rolesClaim: data.ROLES_CLAIM,
    rolesMap: data.ROLES_MAP,
    rolesSource: data.ROLES_SOURCE,
    domains: data.DOMAINS,
    newUserRole: makesUsers ? data.NEW_USERS : null,
    secondFactor: data.SECOND_FACTOR,
    signsOutThere: data.SIGN_OUT === 'provider',
  }
  return { provider, faults }
}
