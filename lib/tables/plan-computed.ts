import { fieldsOf, parseExpression } from '@/lib/definitions/computed-expression'
import type { Entity, Property } from '@/lib/definitions/definition'
import { columnOf, type StoredTable } from './column-spec'
import { sqlTypeOf } from './column-type'
import type { DdlStep } from './ddl-step'

type Plan = { prepare: DdlStep[]; finish: DdlStep[]; dropped: ReadonlySet<string> }

/**
 * Steps for computed columns, which can't be changed, only made again: `prepare` drops those that change or
 * whose fields do, `finish` makes them. `dropped`: the columns that lose their indexes.
 */
export function planComputed({ columns, entity: before }: StoredTable, after: Entity): Plan {
  const { table } = after
  const stored = new Map(columns.map((column) => [column.name, column]))
  const had = new Map(before.properties.map((property) => [property.name, property]))
  const isRetyped = (name: string) => {
    const property = after.properties.find((one) => one.name === name)
    return !property || stored.get(name)?.sqlType !== sqlTypeOf(property)
  }
  const isKept = (property: Property): boolean =>
    had.get(property.name)?.rules.computed === property.rules.computed &&
    ![property.name, ...fieldsOf(parseExpression(property.rules.computed ?? ''))].some(isRetyped)
  const made = after.properties.filter(isComputed).filter((property) => !isKept(property))
  const names = new Set(after.properties.map(({ name }) => name))
  const gone = before.properties.filter((one) => isComputed(one) && !names.has(one.name))
  const released = after.properties.filter((property) => {
    const former = had.get(property.name)
    return !isComputed(property) && former !== undefined && isComputed(former)
  })
  const dropped = [...made, ...gone].map(({ name }) => name).filter((name) => stored.has(name))
  const isOwn = (column: string) => had.get(column)?.rules.computed === undefined
  return {
    prepare: [
      ...released.map(({ name }): DdlStep => ({ type: 'keep-computed', table, column: name })),
      ...dropped.map(
        (column): DdlStep => ({ type: 'drop-computed', table, column, isOwn: isOwn(column) }),
      ),
    ],
    finish: made.map(
      (property): DdlStep => ({ type: 'add-column', table, column: columnOf(after, property) }),
    ),
    dropped: new Set(dropped),
  }
}

const isComputed = ({ rules }: Property) => rules.computed !== undefined
