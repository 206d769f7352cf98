import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError, type Validation } from '@/lib/errors'
import { parsePluginManifest } from '@/lib/plugins/archive/plugin-manifest'
import type { ExportBody } from '@/lib/plugins/export-contract'
import { requireClearName } from '@/lib/plugins/require-clear-name'
import { requireRead } from '@/lib/registry/may-read'
import { loadEntities } from '@/lib/registry/registry'
import { resolveMatches } from '@/lib/search/resolve-search'
import { kindOf } from '@/lib/search/match-records'
import { readableTarget } from '@/lib/tables/readable-target'
import type { Json, JsonObject } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import { chosenPolicies, chosenRoles } from './chosen-rules'
import type { ExportedEntity } from './record-lines'
import type { Selection } from './selection'

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
    requireRead(actor, entity, 'An export')
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
