import { isLocalHost } from '@/lib/auth/app-url'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import type { EngineClient } from './engine-client'
import { FORMAT } from './take-snapshot'

/** What a server says of itself; null where it is older than the question. */
export type Description = {
  version: string
  address: string
  /** Of the files of snapshots. */
  snapshot: number
  /** The fields that it knows of what is made beside plugins, by kind. */
  settings: Record<string, string[]>
  /** Whether it gives records of other servers numbers of its own; left out by versions before. */
  renumbers?: boolean
  /** What is configured by its environment; never a secret. */
  environment: { variable: string; label: string; state: string; value: string }[]
} | null

export async function describe(client: EngineClient): Promise<Description> {
  const response = await client.json('/api/server').catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
  return (response?.data as NonNullable<Description>[] | undefined)?.[0] ?? null
}

const isNotFound = (error: unknown) => statusOf(error) === 404

/** Of the response that it is about, as either kind of client says. */
export function statusOf(error: unknown): unknown {
  const { details, options } = (error ?? {}) as {
    details?: { status?: unknown }
    options?: { meta?: { status?: unknown } }
  }
  return details?.status ?? options?.meta?.status
}

/** The JSON Schemas of the files of plugins that a server knows. */
export async function fileSchemas(client: EngineClient): Promise<Record<string, JsonObject>> {
  const schemas: Record<string, JsonObject> = {}
  for (const name of ['plugin', 'component', 'entity', 'schema', 'type'])
    schemas[name] = (await client.json(`/schemas/${name}.json`)) as JsonObject
  return schemas
}

/** Throws `conflict` where the servers compare their states in other forms. */
export function requireSameFormat(source: Description, target: Description): void {
  const formats = [source, target].map((one) => one?.snapshot ?? FORMAT)
  if (formats[0] === formats[1]) return
  throw new AppError(
    'conflict',
    `The servers compare their states in other forms: that of ${nameOf(source)} is ${formats[0]}, that of ${nameOf(target)} ${formats[1]}. Bring both to the same version`,
  )
}

export const nameOf = (about: Description) =>
  about === null ? 'an older version' : `version ${about.version}`

/**
 * Throws `conflict` unless the addresses tell the source from other servers: numbers that the target gives its records are
 * remembered by its address, and two sources of one address would write over each other's records.
 */
export function requireOwnAddresses(source: Description, target: Description): void {
  if (!source || !target?.renumbers) return
  if (source.address === target.address)
    throw new AppError(
      'conflict',
      `Both servers say that they are ${source.address}. Set APP_URL on each to an address of its own: it tells their records apart`,
    )
  if (isLocal(source.address) && !isLocal(target.address))
    throw new AppError(
      'conflict',
      `The source says that it is ${source.address}, as any machine may. Set its APP_URL to an address of its own: it tells its records from those of other servers`,
    )
}

const isLocal = (address: string) => isLocalHost(new URL(address).hostname)

export type EnvironmentDifference = {
  variable: string
  label: string
  source: string
  target: string
}

/** What is configured otherwise at the target; it can't be changed from outside. */
export function environmentDifferences(
  source: Description,
  target: Description,
): EnvironmentDifference[] {
  if (!source || !target) return []
  const known = new Map(target.environment.map((one) => [keyOf(one), one]))
  return source.environment.flatMap((one) => {
    const other = known.get(keyOf(one))
    const [here, there] = [one.value, other?.value ?? 'Not set']
    if (here === there) return []
    return { variable: one.variable, label: one.label, source: here, target: there }
  })
}

type Part = NonNullable<Description>['environment'][number]
const keyOf = ({ variable, label }: Part) => `${variable} ${label}`
