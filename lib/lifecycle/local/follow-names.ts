import type { Installed } from '@/lib/archives/plan-install'
import { itemsOf } from '@/lib/archives/plugin-file'
import type { EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import { schemaNameOf } from '@/lib/registry/registry-rows'
import type { JsonObject } from '@/lib/values/json'

type Draft = Parameters<NonNullable<Installed['merged']>>[0][number]
type Names = ReadonlyMap<string, string>

/** Data files whose records have fields that were renamed here say so. Pure. */
export function followNames(drafts: readonly Draft[]): Draft[] {
  const renamed = new Map<string, Names>()
  for (const { definitions } of drafts)
    for (const [at, authored] of (definitions?.authored ?? []).entries()) {
      const item = definitions?.items[at]
      if (!authored || !item) continue
      if (definitions.kind === 'schema' || definitions.kind === 'entity')
        renamed.set(`${definitions.kind} ${item.name}`, namesIn(authored, item as Shaped))
    }
  if ([...renamed.values()].every(({ size }) => size === 0)) return [...drafts]
  const entities = itemsOf(drafts, 'entity')
  return drafts.map((draft) => {
    if (draft.definitions) return draft
    const name = draft.target ?? draft.folderName
    const entity = entities.find((one) => one.name === name)
    const schema = entity ? schemaNameOf(entity) : name
    const names = new Map([
      ...(renamed.get(`entity ${name}`) ?? []),
      ...(renamed.get(`schema ${schema}`) ?? []),
    ])
    return names.size > 0 ? { ...draft, renamed: names } : draft
  })
}

type Shaped = Partial<Pick<SchemaDefinition, 'properties'> & Pick<EntityDefinition, 'keys'>>
type Named = { name: string; renamedFrom?: string[] }

const fieldsOf = ({ properties = [], keys = [] }: Shaped): Named[] => [
  ...properties,
  ...keys.map(({ key, ...rest }) => ({ name: key, ...rest })),
]

/** The names in the archive of fields that have another one here. */
function namesIn(authored: JsonObject, merged: Shaped): Names {
  const present = fieldsOf(merged)
  const lost = fieldsOf(authored as Shaped)
    .map(({ name }) => name)
    .filter((name) => !present.some((field) => field.name === name))
  return new Map(
    lost.flatMap((name): [string, string][] => {
      const field = present.find(({ renamedFrom }) => renamedFrom?.includes(name))
      return field ? [[name, field.name]] : []
    }),
  )
}
