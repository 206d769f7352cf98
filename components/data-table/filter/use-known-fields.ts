import { useQueries } from '@tanstack/react-query'
import { useAlive } from '@/components/ui/use-time-zone'
import {
  type Beyond,
  comparedTexts,
  entitiesOnTheWay,
  fieldBeyond,
  type KnownEntities,
} from './beyond'
import { type Condition, fieldConditions } from './condition'
import type { FilterField } from './field'
import { testedName } from './relation'

const NONE: KnownEntities = new Map()

/**
 * The fields with those that the conditions reach by references, and with the names of the records that they are
 * compared with. Both are fetched; until then, or where they may not be read, conditions show what they hold.
 */
export function useKnownFields(
  fields: readonly FilterField[],
  conditions: readonly Condition[],
): FilterField[] {
  // Other parts of the page may have fetched some already, which the server's text does not know.
  const alive = useAlive()
  const compared = fieldConditions(conditions)
  const names = compared.map(testedName)
  const first = useEntities(entitiesOnTheWay(fields, names, NONE))
  const second = useEntities(entitiesOnTheWay(fields, names, first))
  const third = useEntities(entitiesOnTheWay(fields, names, second))
  const beyond = [...new Set(names)].flatMap((name) => fieldBeyond(fields, name, third) ?? [])
  const all = [...fields, ...beyond]
  const asked = all.flatMap((field) => {
    const own = compared.filter((condition) => condition.field === field.name)
    return field.beyond?.title
      ? [...new Set(own.flatMap(comparedTexts))].map((text) => ({ field, text }))
      : []
  })
  const titles = useQueries({
    queries: asked.map(({ field, text }) => field.beyond?.title?.(text) ?? NOTHING),
  })
  return all.map((field) => {
    const own = asked.flatMap((each, at): [string, string][] => {
      const title = alive && each.field === field ? titles[at]?.data : null
      return title ? [[each.text, title]] : []
    })
    return own.length > 0 ? { ...field, titles: new Map(own) } : field
  })
}

const NOTHING = { queryKey: ['nothing'], queryFn: () => null, enabled: false }

function useEntities(beyond: readonly Beyond[]): KnownEntities {
  const alive = useAlive()
  const found = useQueries({ queries: beyond.map(({ fields }) => fields) })
  return new Map(beyond.map(({ entity }, at) => [entity, (alive && found[at]?.data) || []]))
}
