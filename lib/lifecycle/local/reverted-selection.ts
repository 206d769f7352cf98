import type { Db } from '@/lib/db/sql'
import type { SchemaDefinition, TypeDefinition } from '@/lib/definitions/definition'
import { type Types, typesByName } from '@/lib/definitions/resolve-type'
import { AppError, type Validation } from '@/lib/errors'
import { schemaJson } from '@/lib/lifecycle/export/definition-files'
import type { Selection, WrittenList } from '@/lib/lifecycle/export/selection'
import type { ModelBody } from '@/lib/lifecycle/model-contract'
import { isObject, type JsonObject } from '@/lib/values/json'
import { type Planned, plannedOf } from '../uninstall/part-removal'
import { type LocalDefinition, localDefinitions } from './local-definitions'

const LISTS: Record<LocalDefinition['kind'], WrittenList> = {
  type: 'types',
  schema: 'schemas',
  entity: 'entities',
  role: 'roles',
  policy: 'policies',
  webhook: 'webhooks',
}

type Reverted = {
  selection: Selection
  /** Those that were made here, and the others as they are to be. */
  added: LocalDefinition[]
  planned: Planned
}

/**
 * The next version of a plugin, in which definitions are again as its author gave them; the author's own version, once
 * nothing else was changed here. Throws `invalid_input` for what was not changed here.
 */
export async function revertedSelection(
  db: Db,
  selection: Selection,
  reverted: ModelBody['reverted'],
): Promise<Reverted> {
  const { id, version } = selection.manifest
  const local = (await localDefinitions(db)).filter(({ pluginId }) => pluginId === id)
  const find = ({ kind, name }: ModelBody['reverted'][number]) =>
    local.find((one) => one.kind === kind && one.name === name)
  requireChanged(reverted, (one) => find(one) !== undefined)
  const chosen = new Set(reverted.flatMap((one) => find(one) ?? []))
  const planned = [...chosen].flatMap(({ kind, name, stored }) =>
    stored.base ? [{ kind, name, definition: stored.base }] : [],
  )
  const types = typesByName(
    selection.types.map((type) => {
      const former = plannedOf(planned, 'type', type.name)
      return (former ?? type) as TypeDefinition
    }),
  )
  const written: Partial<Record<WrittenList, JsonObject[]>> = {}
  for (const one of chosen)
    if (one.base)
      written[LISTS[one.kind]] = [
        ...(written[LISTS[one.kind]] ?? []),
        formerOf(one, typed(one, one.base, types)),
      ]
  const isWhole = local.every((one) => chosen.has(one)) && typeof version === 'string'
  const manifest = isWhole
    ? { ...selection.manifest, version: releaseOf(version) }
    : selection.manifest
  return {
    selection: { ...selection, manifest, written },
    added: [...chosen].filter(({ base }) => base === null),
    planned,
  }
}

/** Fields of a schema name their types, by which the next version of the plugin reads them. */
const typed = ({ kind, stored }: LocalDefinition, base: JsonObject, types: Types): JsonObject =>
  kind === 'schema' ? schemaJson(stored.base as SchemaDefinition, types) : base

/** The version of the author, without what was changed here. */
export const releaseOf = (version: string): string => version.replace(/\+local\.\d+$/, '')

function requireChanged(
  reverted: ModelBody['reverted'],
  isChanged: (one: ModelBody['reverted'][number]) => boolean,
): void {
  const validations = reverted.flatMap((one, at): Validation[] =>
    isChanged(one)
      ? []
      : [{ field: `reverted.${at}`, error: `The ${one.kind} "${one.name}" was not changed here` }],
  )
  if (validations.length > 0)
    throw new AppError('invalid_input', validations.map(({ error }) => error).join('; '), {
      validations,
    })
}

const LISTED = ['properties', 'pks'] as const
const nameOf = (item: JsonObject) => String(item.name ?? item.key)

/** As the author gave it, but for fields that have another name here: they say so, and so keep their values. */
function formerOf({ ours }: LocalDefinition, base: JsonObject): JsonObject {
  const lists = LISTED.flatMap((list): [string, JsonObject[]][] => {
    const [here, former] = [ours[list], base[list]]
    if (!Array.isArray(here) || !Array.isArray(former)) return []
    return [
      [list, former.filter(isObject).map((item) => withPresentName(item, here.filter(isObject)))],
    ]
  })
  return { ...base, ...Object.fromEntries(lists) }
}

function withPresentName(item: JsonObject, here: readonly JsonObject[]): JsonObject {
  if (here.some((one) => nameOf(one) === nameOf(item))) return item
  const renamed = here.find(({ renamedFrom = [] }) => [renamedFrom].flat().includes(nameOf(item)))
  return renamed ? { ...item, renamedFrom: [nameOf(renamed)] } : item
}
