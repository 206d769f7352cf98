import { fieldLabel } from '@/components/data-table/field-label'
import { isSystemEntity } from '@/lib/definitions/names'
import { getQueryClient } from '@/lib/query/client'
import { columnsOptions } from './entity-queries'
import { titleFields } from './record-title'
import type { ColumnDescription } from './types'

/** What columns of a file are called, by the names of their fields. */
export type Labels = Record<string, string>

type Chosen = { fields?: string[]; labels?: Labels }

/**
 * The same selection with the labels of fields of other entities, by the names of which nobody knows them. Own ones keep
 * their names, so that the file can be imported.
 */
export function withLabels<T extends Chosen>(
  selection: T,
  related: readonly ColumnDescription[],
): T {
  const chosen = related.filter(({ name }) => selection.fields?.includes(name))
  if (chosen.length === 0) return selection
  const labels: Labels = {}
  for (const { name, label } of chosen)
    labels[name] = unusedLabel({ name, label: label ?? name }, labels)
  return { ...selection, labels }
}

/**
 * The same selection with the labels of its fields, and the names of referenced records before their ids, unless they are
 * chosen themselves. Those of entities that can't be read stay ids. `related`: columns of other entities.
 */
export async function forPeople<T extends Chosen>(
  entity: string,
  selection: T,
  related: readonly ColumnDescription[] = [],
): Promise<T & { labels: Labels }> {
  const columns = [...(await columnsOf(entity)), ...related]
  const { fields } = selection
  const chosen = fields
    ? fields.flatMap((name) => columns.find((column) => column.name === name) ?? [])
    : columns.filter(({ hidden }) => !hidden)
  const titles = new Map(
    await Promise.all(
      chosen.map(async (column) => [column.name, await titleColumn(column)] as const),
    ),
  )
  const labels: Labels = {}
  for (const column of chosen) {
    const title = titles.get(column.name)
    if (title && !fields?.includes(title.name)) labels[title.name] = unusedLabel(title, labels)
    labels[column.name] = unusedLabel({ name: column.name, label: fieldLabel(column) }, labels)
  }
  const isNamed = [...titles.values()].some((title) => title !== null)
  return {
    ...selection,
    ...((fields || isNamed) && { fields: Object.keys(labels) }),
    labels,
  }
}

type Named = { name: string; label: string }

/** Columns of the same label would be told apart by nothing. */
const unusedLabel = ({ name, label }: Named, labels: Labels): string =>
  Object.values(labels).includes(label) ? name : label

/** The field that names the records that a field refers to. */
async function titleColumn(column: ColumnDescription): Promise<Named | null> {
  const { reference } = column.rules
  if (!reference || isSystemEntity(reference.entity)) return null
  const columns = await columnsOf(reference.entity).catch(() => [])
  const [name] = titleFields(columns)
  const title = columns.find((each) => each.name === name)
  if (!title || title.name === reference.field) return null
  return {
    name: `${column.name}.${title.name}`,
    label: `${fieldLabel(column)} › ${fieldLabel(title)}`,
  }
}

const columnsOf = async (entity: string): Promise<ColumnDescription[]> =>
  (await getQueryClient().fetchQuery(columnsOptions(entity))).data
