import { createHash } from 'node:crypto'
import type { ParsedPlugin } from '@/lib/archives/parse-plugin'
import { loadInstalled, planInstall } from '@/lib/archives/plan-install'
import type { InstallPlan } from '@/lib/archives/plugin-file'
import { around, type Layers } from '@/lib/around'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { readParts, type Sealed } from './sealed-parts'

type Planning = { db: Db; layers: Layers }

/** A plan and its seal, of one snapshot of the database. */
export const planWithSeal = (
  { db, layers }: Planning,
  plugin: ParsedPlugin,
  request: Sealed,
): Promise<{ plan: InstallPlan; seal: string }> =>
  inSnapshot(db, async (tx) => {
    const plan = await makePlan({ db: tx, layers }, plugin, request)
    return { plan, seal: sealOf(await readParts(tx, plan, request)) }
  })

async function makePlan(
  { db, layers }: Planning,
  plugin: ParsedPlugin,
  request: Sealed,
): Promise<InstallPlan> {
  const { manifest } = plugin
  const work = () => loadInstalled(db)
  return planInstall(
    plugin,
    await around({ layers }, 'loadInstalled', { db, manifest, request }, work),
  )
}

/**
 * The plan of an install. Throws `conflict`, naming what has changed, when the request has a
 * seal that no longer holds.
 */
export async function planUnlessChanged(
  { db, layers }: Planning,
  plugin: ParsedPlugin,
  request: Sealed & { seal?: string },
): Promise<InstallPlan> {
  const { seal } = request
  if (seal === undefined) return makePlan({ db, layers }, plugin, request)
  return inSnapshot(db, async (tx) => {
    const plan = await makePlan({ db: tx, layers }, plugin, request)
    await requireSeal(tx, plan, { ...request, seal })
    return plan
  })
}

/** Throws `conflict`, naming what has changed, unless the request's seal holds or it has none. */
export async function requireSeal(
  tx: Db,
  plan: InstallPlan,
  request: Sealed & { seal?: string },
): Promise<void> {
  if (request.seal === undefined) return
  const changed = differences(request.seal, await readParts(tx, plan, request))
  if (changed.length === 0) return
  const listed = changed.slice(0, MAX_NAMED)
  const rest = changed.length - listed.length
  const what = [...listed, ...(rest > 0 ? [`${rest} more`] : [])].join('; ')
  throw new AppError('conflict', `The plan no longer holds: ${what}. Make a new plan`)
}

const MAX_NAMED = 20

const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/** Something that a plan depends on. `value` is null when it does not exist. */
export type SealedPart = {
  kind: PartKind
  name: string
  value: string | null
  /** False when the caller may not learn the name. */
  named?: boolean
}

export type PartKind =
  | 'archive'
  | 'option'
  | 'installer'
  | 'signature'
  | 'plugin'
  | 'type'
  | 'schema'
  | 'entity'
  | 'role'
  | 'policy'
  | 'webhook'
  | 'records'

/**
 * The seal of a plan: a digest of all parts, then a short digest of each, by which changed ones are
 * found. The latter are left out where they would make the seal too long for an address.
 */
function sealOf(parts: readonly SealedPart[]): string {
  const ordered = parts.map(({ kind, name, value }) => JSON.stringify([kind, name, value])).sort()
  const whole = digest(ordered.join('\n')).toString('base64url')
  if (parts.length > MAX_LISTED) return `${whole}.`
  const listed = parts.map((part) => Buffer.concat([shortKey(part), shortValue(part)]))
  return `${whole}.${Buffer.concat(listed).toString('base64url')}`
}

/**
 * What differs between a seal and the present parts, in words; empty when the seal still holds.
 * Nothing about parts is told from a seal that the engine did not make.
 */
function differences(seal: string, parts: readonly SealedPart[]): string[] {
  const now = sealOf(parts)
  if (seal === now) return []
  const before = listedIn(seal)
  if (before.size === 0 || parts.length > MAX_LISTED) return [UNKNOWN]
  const changed = parts.flatMap((part) => {
    const known = before.get(shortKey(part).toString('hex'))
    before.delete(shortKey(part).toString('hex'))
    return known === shortValue(part).toString('hex') ? [] : [describe(part, known === undefined)]
  })
  const missing = before.size > 0 ? ['definitions that the plan depends on are gone'] : []
  const all = [...new Set([...changed, ...missing])]
  return all.length > 0 ? all : [UNKNOWN]
}

const UNKNOWN = 'the archive or the database is not the one of the plan'

/** About 4 kB in base64. */
const MAX_LISTED = 400
const KEY_BYTES = 4
const VALUE_BYTES = 4

function listedIn(seal: string): Map<string, string> {
  const bytes = Buffer.from(seal.slice(seal.indexOf('.') + 1), 'base64url')
  const found = new Map<string, string>()
  const size = KEY_BYTES + VALUE_BYTES
  if (!seal.includes('.') || bytes.length % size !== 0) return found
  for (let at = 0; at < bytes.length; at += size)
    found.set(
      bytes.toString('hex', at, at + KEY_BYTES),
      bytes.toString('hex', at + KEY_BYTES, at + size),
    )
  return found
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const shortKey = ({ kind, name }: SealedPart) => digest(`${kind}:${name}`).subarray(0, KEY_BYTES)
const shortValue = ({ value }: SealedPart) =>
  digest(value === null ? 'absent' : `is ${value}`).subarray(0, VALUE_BYTES)

const LABELS: Record<'type' | 'schema' | 'entity' | 'role' | 'policy' | 'webhook', string> = {
  type: 'type',
  schema: 'schema',
  entity: 'entity',
  role: 'role',
  policy: 'policy',
  webhook: 'webhook',
}

function describe({ kind, name, value, named = true }: SealedPart, isNew: boolean): string {
  switch (kind) {
    case 'archive':
      return 'the archive is another one'
    case 'option':
      return `the option "${name}" is another one`
    case 'installer':
      return 'the rights of the installer are other ones'
    case 'signature':
      return 'the trust in its signature is another one'
    case 'plugin':
      return `the plugin "${name}" was installed or removed`
    case 'records':
      return `the records of ${named ? `"${name}"` : 'an entity that you may not read'} changed`
    default:
      return `the ${LABELS[kind]} "${name}" ${value === null ? 'is gone' : isNew ? 'is new' : 'changed'}`
  }
}
