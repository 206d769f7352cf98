import { nearest } from '@/lib/values/nearest'
import type { DdlStep, StepOf } from './ddl-step'

/**
 * A note for each property that is hidden with values while a new, empty one of its type is added:
 * most likely it was renamed without saying so. Pure.
 */
export function guessRenames(steps: readonly DdlStep[]): string[] {
  const filled = new Set(
    steps.flatMap((step) =>
      step.type === 'fill-default' || step.type === 'move-extra'
        ? [keyOf(step.table, step.property.name)]
        : [],
    ),
  )
  const added = new Set(
    steps.filter(
      (step): step is StepOf<'add-column'> =>
        step.type === 'add-column' && !filled.has(keyOf(step.table, step.column.name)),
    ),
  )
  return steps.flatMap((step) => {
    if (step.type !== 'hide-column' || !step.values) return []
    const alike = [...added].filter(
      ({ table, column }) =>
        keyOf(table, '') === keyOf(step.table, '') && column.sqlType === step.sqlType,
    )
    const names = alike.map(({ column }) => column.name)
    const name = nearest(step.column, names) ?? names[0]
    if (name === undefined) return []
    for (const one of alike) if (one.column.name === name) added.delete(one)
    const kept = step.values === 1 ? '1 value stays' : `${step.values} values stay`
    return [
      `${step.column} is no longer served, ${kept} hidden; ${name} is new and empty. If it is a new name, declare "renamedFrom": "${step.column}" for ${name}`,
    ]
  })
}

const keyOf = ({ schema, name }: { schema: string; name: string }, column: string) =>
  JSON.stringify([schema, name, column])
