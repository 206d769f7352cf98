import { eq, sql } from 'drizzle-orm'
import { type InstallPlan, itemsOf, type PlannedFile } from '@/lib/archives/plugin-file'
import { can } from '@/lib/auth/rights'
import {
  entityTypes,
  type PolicyRow,
  plugins,
  policies,
  roles,
  schemas,
  webhooks,
} from '@/lib/db/schema'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import { decisionsText } from '@/lib/installs/decisions'
import type { InstallRequest } from '@/lib/installs/install-request'
import { isLimited } from '@/lib/policies/policy-faults'
import { judgeSignature } from '@/lib/publishers/judge-signature'
import { type RegistryRow, selectEntities } from '@/lib/registry/registry-rows'
import type { Signed } from '@/lib/signatures/signature'
import { relationExists } from '@/lib/tables/stored-tables'
import type { PartKind, SealedPart } from './plan-with-seal'
import { type SealScope, sealScope } from './seal-scope'

export type Sealed = Pick<
  InstallRequest,
  | 'sha256'
  | 'mode'
  | 'actor'
  | 'onConflict'
  | 'removed'
  | 'deleted'
  | 'decisions'
  | 'from'
  | 'acceptKey'
  | 'isLocal'
> & { signed: Signed | null }

/**
 * Everything that the outcome of a plan depends on, as the transaction sees it. What is read
 * afterwards may be newer, so a plan made then holds at most as long as these parts.
 */
export async function readParts(tx: Db, plan: InstallPlan, request: Sealed): Promise<SealedPart[]> {
  const installed = await selectEntities(tx)
  const stored = await tx.select().from(schemas)
  const scope = sealScope(
    plan.files,
    installed,
    stored.map(({ definition }) => definition),
    request,
  )
  return [
    ...requestParts(request),
    await signaturePart(tx, request),
    await pluginPart(tx, plan.manifest.id),
    ...(await entityParts(tx, scope, installed, plan.files)),
    ...namedParts('schema', scope.schemas, stored),
    ...(scope.types ? everyPart('type', await tx.select().from(entityTypes)) : []),
    ...(scope.roles.size > 0 ? namedParts('role', scope.roles, await tx.select().from(roles)) : []),
    ...(await policyParts(tx, scope)),
    ...(scope.webhooks.size > 0
      ? namedParts('webhook', scope.webhooks, await tx.select().from(webhooks))
      : []),
    ...(await recordParts(tx, scope, installed, request)),
  ]
}

function requestParts({
  sha256,
  mode,
  actor,
  onConflict,
  removed,
  deleted,
  decisions,
  from,
  acceptKey,
}: Sealed): SealedPart[] {
  const rights = {
    roles: actor.roles.map((role) => role.toLowerCase()).sort(),
    scopes: actor.scopes && [...actor.scopes].sort(),
    policies: (actor.policies ?? []).map((rule) => JSON.stringify(rule)).sort(),
  }
  return [
    { kind: 'archive', name: '', value: sha256 },
    { kind: 'option', name: 'mode', value: mode },
    { kind: 'option', name: 'onConflict', value: onConflict ?? '' },
    { kind: 'option', name: 'removed', value: removed ?? '' },
    { kind: 'option', name: 'deleted', value: deleted ?? '' },
    { kind: 'option', name: 'decisions', value: decisionsText(decisions) },
    { kind: 'option', name: 'from', value: from ?? '' },
    { kind: 'option', name: 'acceptKey', value: String(acceptKey ?? false) },
    { kind: 'installer', name: '', value: JSON.stringify(rights) },
  ]
}

async function signaturePart(tx: Db, { signed, isLocal }: Sealed): Promise<SealedPart> {
  const { state, signer } = await judgeSignature(tx, isLocal ? 'local' : signed)
  return { kind: 'signature', name: '', value: JSON.stringify([state, signer]) }
}

async function pluginPart(tx: Db, id: string): Promise<SealedPart> {
  const [row] = await tx.select().from(plugins).where(eq(plugins.id, id))
  return {
    kind: 'plugin',
    name: id,
    value: row ? `${row.lastHistoryId} ${row.updatedAt.toISOString()}` : null,
  }
}

async function entityParts(
  tx: Db,
  { entities }: SealScope,
  installed: readonly RegistryRow[],
  files: readonly PlannedFile[],
): Promise<SealedPart[]> {
  const known = byName(installed.map(({ row }) => row))
  const parts = new Map<string, SealedPart>()
  for (const name of entities) {
    const row = known.get(name.toLowerCase())
    parts.set(name.toLowerCase(), {
      kind: 'entity',
      name: row?.name ?? name,
      value: row
        ? JSON.stringify([
            row.definition,
            row.tableSchema,
            row.tableName,
            row.columns,
            row.pluginId,
          ])
        : null,
    })
  }
  for (const { name, table } of itemsOf(files, 'entity')) {
    const part = parts.get(name.toLowerCase())
    if (part?.value === null && (await relationExists(tx, table))) part.value = 'table of others'
  }
  return [...parts.values()]
}

type Definition = { name: string; pluginId: string | null; definition: object | null }

const byName = <T extends { name: string }>(all: readonly T[]) =>
  new Map(all.map((one) => [one.name.toLowerCase(), one]))

const partOf = (kind: PartKind, { name, pluginId, definition }: Definition): SealedPart => ({
  kind,
  name,
  value: JSON.stringify([definition, pluginId]),
})

const everyPart = (kind: PartKind, all: readonly Definition[]) =>
  all.map((one) => partOf(kind, one))

function namedParts(kind: PartKind, names: ReadonlySet<string>, all: readonly Definition[]) {
  const known = byName(all)
  const distinct = new Map([...names].map((name) => [name.toLowerCase(), name]))
  return [...distinct].map(([key, name]): SealedPart => {
    const found = known.get(key)
    return found ? partOf(kind, found) : { kind, name, value: null }
  })
}

/** The policies of the archive, those that grant its roles something, and those that its entities may no longer fit. */
async function policyParts(tx: Db, scope: SealScope): Promise<SealedPart[]> {
  const all = await tx.select().from(policies)
  const entities = new Set(['*', ...[...scope.entities].map((name) => name.toLowerCase())])
  const limited = all.filter(
    (row) => isLimited(row.definition) && row.entities.some((name) => entities.has(name)),
  )
  const grants = ({ principals }: PolicyRow) =>
    principals.some((role) => role === '*' || scope.roles.has(role))
  const granting = scope.roles.size > 0 ? all.filter(grants) : []
  const found = [...granting, ...limited].map(({ name }) => name.toLowerCase())
  const names = new Set([...scope.policies, ...found])
  return namedParts('policy', names, all)
}

async function recordParts(
  tx: Db,
  { records }: SealScope,
  installed: readonly RegistryRow[],
  { actor }: Sealed,
): Promise<SealedPart[]> {
  const found = installed.filter(({ row }) => records.has(row.name)).map(({ row }) => row)
  const tables = found.map(({ tableSchema, tableName }) => ({
    schema: tableSchema,
    name: tableName,
  }))
  const versions = await recordVersions(tx, tables)
  return found.map(({ name }, at) => ({
    kind: 'records',
    name,
    value: versions[at] ?? null,
    named: can(actor, { entity: name, action: 'read' }),
  }))
}

type TableVersion = { at: number; oid: string | null; version: string | null }

/**
 * A text for each table that changes whenever its records do: null where there is no table. Where no
 * version is kept (see docs/decisions/0027) the whole table is read.
 */
async function recordVersions(tx: Db, tables: readonly TableName[]): Promise<(string | null)[]> {
  if (tables.length === 0) return []
  const asked = JSON.stringify(tables.map(({ schema, name }, at) => ({ at, schema, name })))
  const found = await rows<TableVersion>(
    tx,
    sql`select q.at, q.relation::oid::text as oid, kept.version
      from (select at, to_regclass(format('%I.%I', schema, name)) as relation
        from json_to_recordset(${asked}::text::json) as t(at int, schema text, name text)) q
      left join lateral engine.total_of(q.relation) kept on true order by q.at`,
  )
  const versions: (string | null)[] = []
  for (const { at, oid, version } of found) {
    const table = tables[at]
    versions.push(oid && table ? `${oid} ${version ?? (await fingerprint(tx, table))}` : null)
  }
  return versions
}

/** Each version of a row has a place and a transaction of its own. */
async function fingerprint(tx: Db, table: TableName): Promise<string> {
  const query = sql`select count(*) || ' ' || coalesce(sum(hashtextextended(t.ctid::text || t.xmin::text, 0)), 0) as print
    from ${tableSql(table)} as t`
  return one(await rows<{ print: string }>(tx, query)).print
}
