import { asc, eq, inArray, or } from 'drizzle-orm'
import { parsePluginManifest } from '@/lib/archives/manifests'
import { type Actor, requireRight } from '@/lib/auth/rights'
import {
  type DefinitionName,
  entityTypes,
  plugins,
  policies,
  roles,
  schemas,
  webhooks,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { SchemaDefinition, TypeDefinition } from '@/lib/definitions/definition'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { WebhookDefinition } from '@/lib/definitions/webhook'
import type { Deps } from '@/lib/deps'
import { AppError, type Validation } from '@/lib/errors'
import { requireClearName } from '@/lib/installs/store'
import type { ExportBody } from '@/lib/lifecycle/contract'
import { requireReadAll } from '@/lib/registry/may-read'
import { loadEntities } from '@/lib/registry/registry'
import { readableTarget } from '@/lib/search/find-target'
import { kindOf } from '@/lib/search/match-records'
import { resolveMatches } from '@/lib/search/resolve-search'
import type { Json, JsonObject } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import type { ExportedEntity } from './data-files'

/** What an archive is made of. */
export type Selection = {
  /** engineplugin.json. */
  manifest: JsonObject
  types: TypeDefinition[]
  schemas: SchemaDefinition[]
  entities: ExportedEntity[]
  roles: RoleDefinition[]
  policies: PolicyDefinition[]
  webhooks: WebhookDefinition[]
  /** Types by which fields are written; without it, those of the archive. */
  fieldTypes?: TypeDefinition[]
  /** Definitions as they were written, in place of those of the same name. */
  written?: Partial<Record<WrittenList, readonly JsonObject[]>>
}

export type WrittenList = 'types' | 'schemas' | 'entities' | 'roles' | 'policies' | 'webhooks'

/** The row of an installed plugin, if there is one. */
export const findPlugin = async (db: Db, id: string) =>
  (await db.select().from(plugins).where(eq(plugins.id, id)))[0]

/**
 * An installed plugin as it is now: what it owns, and what it defines that another one owns. Throws `not_found`, and
 * `conflict` for a plugin that would lack what it defines.
 */
export async function selectPlugin(db: Db, id: string): Promise<Selection> {
  const plugin = await findPlugin(db, id)
  if (!plugin) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  const defines = plugin.defines ?? []
  const namesOf = (kind: DefinitionName['kind']) =>
    new Set(defines.filter((one) => one.kind === kind).map(({ name }) => name))
  const entityNames = namesOf('entity')
  const all = await loadEntities(db)
  const selection = {
    manifest: plugin.manifest,
    types: await definitionsOf(db, entityTypes, id, namesOf('type')),
    schemas: await definitionsOf(db, schemas, id, namesOf('schema')),
    entities: all
      .filter(({ pluginId, name }) => pluginId === id || entityNames.has(name))
      .map((entity) => ({ entity, where: [], joins: [] })),
    roles: await definitionsOf(db, roles, id, namesOf('role')),
    policies: await definitionsOf(db, policies, id, namesOf('policy')),
    webhooks: await webhooksOf(db, id),
  }
  requireDefined(id, selection, defines)
  return selection
}

type Table = typeof entityTypes | typeof schemas | typeof roles | typeof policies

async function definitionsOf<T extends Table>(
  db: Db,
  table: T,
  pluginId: string,
  names: ReadonlySet<string>,
): Promise<T['$inferSelect']['definition'][]> {
  const found = await db
    .select({ definition: table.definition })
    .from(table as typeof schemas)
    .where(or(eq(table.pluginId, pluginId), inArray(table.name, [...names])))
    .orderBy(asc(table.name))
  return found.map(({ definition }) => definition)
}

/** Those that it owns: no other plugin can have taken one. */
async function webhooksOf(db: Db, pluginId: string): Promise<WebhookDefinition[]> {
  const { definition, name } = webhooks
  const isOwn = eq(webhooks.pluginId, pluginId)
  const found = await db.select({ definition }).from(webhooks).where(isOwn).orderBy(asc(name))
  return found.flatMap((one) => one.definition ?? [])
}

function requireDefined(
  id: string,
  selection: Selection,
  defines: readonly DefinitionName[],
): void {
  const found = {
    type: selection.types,
    schema: selection.schemas,
    entity: selection.entities.map(({ entity }) => entity),
    role: selection.roles,
    policy: selection.policies,
    webhook: selection.webhooks,
  }
  const missing = defines.filter(({ kind, name }) => !found[kind].some((one) => one.name === name))
  const names = missing.map(({ kind, name }) => `the ${kind} "${name}"`).join(', ')
  const isEmpty = Object.values(found).every((all) => all.length === 0)
  if (names === '' && !isEmpty) return
  const reason =
    names === ''
      ? `defines nothing of what is installed; install it again, or export the entities it gave records to (POST /api/plugins/export)`
      : `defines what is no longer installed: ${names}; install it again before it is exported`
  throw new AppError('conflict', `The plugin "${id}" ${reason}`)
}

/**
 * A new plugin from what is installed: entities with their schemas, of any plugin, and roles and policies.
 * Throws `invalid_input` that names every unknown name, or each condition at fault, and `forbidden`
 * without the right to read.
 */
export async function selectEntities(
  deps: Deps,
  actor: Actor,
  { entities: chosen, roles, policies, ...manifest }: ExportBody,
): Promise<Selection> {
  const made = parsePluginManifest(Buffer.from(JSON.stringify(manifest)), 'engineplugin.json')
  await requireClearName(deps.db, made)
  const faults: Validation[] = []
  const entities = await chosenEntities(deps, actor, chosen, faults)
  const rules = {
    roles: await chosenRoles(deps.db, actor, roles, faults),
    policies: await chosenPolicies(deps.db, actor, policies, faults),
  }
  if (faults.length > 0) throw refused(faults)
  const schemas = new Map(
    entities.flatMap(({ entity: { schema } }) => (schema ? [[schema.name, schema]] : [])),
  )
  return {
    manifest: manifest as JsonObject,
    types: [],
    schemas: [...schemas.values()],
    entities,
    ...rules,
    webhooks: [],
  }
}

async function chosenEntities(
  deps: Deps,
  actor: Actor,
  chosen: ExportBody['entities'],
  faults: Validation[],
): Promise<ExportedEntity[]> {
  const all = await loadEntities(deps.db)
  const exported: ExportedEntity[] = []
  for (const [at, { name, query = [] }] of chosen.entries()) {
    const entity = all.find((one) => one.name === name)
    const isRepeated = chosen.findIndex((one) => one.name === name) < at
    if (!entity || isRepeated) {
      const unknown = `There is no entity "${name}"${suggestion(
        name,
        all.map((one) => one.name),
      )}`
      faults.push({ field: `entities.${at}.name`, error: entity ? 'Is given twice' : unknown })
      continue
    }
    requireReadAll(actor, entity, 'An export')
    const target = readableTarget(entity, actor, all)
    const conditions = {
      conditions: query as Json[],
      conditionsName: `entities.${at}.query` as const,
    }
    const { where, joins = [] } = resolveMatches(target, conditions)
    await kindOf(deps, target, { where, joins }, actor)
    exported.push({ entity, where, joins })
  }
  return exported
}

const refused = (validations: Validation[]) =>
  new AppError('invalid_input', validations.map(({ error }) => error).join('; '), { validations })

/** The installed roles of these names; adds unknown ones to `faults`. Throws `forbidden`. */
async function chosenRoles(
  db: Db,
  actor: Actor,
  names: readonly string[],
  faults: Validation[],
): Promise<RoleDefinition[]> {
  if (names.length === 0) return []
  requireRight(actor, { entity: 'EngineRoles', action: 'read' })
  return pick('roles', await db.select().from(roles).orderBy(asc(roles.name)), names, faults)
}

/** The same for policies. */
async function chosenPolicies(
  db: Db,
  actor: Actor,
  names: readonly string[],
  faults: Validation[],
): Promise<PolicyDefinition[]> {
  if (names.length === 0) return []
  requireRight(actor, { entity: 'EnginePolicies', action: 'read' })
  const found = await db.select().from(policies).orderBy(asc(policies.name))
  return pick('policies', found, names, faults)
}

function pick<T>(
  kind: string,
  found: readonly { name: string; definition: T }[],
  names: readonly string[],
  faults: Validation[],
): T[] {
  for (const [at, name] of names.entries()) {
    if (found.some((one) => one.name === name)) continue
    const known = found.map((one) => one.name)
    const error = `"${name}" is not installed${suggestion(name, known)}`
    faults.push({ field: `${kind}.${at}`, error })
  }
  return found.filter(({ name }) => names.includes(name)).map(({ definition }) => definition)
}
