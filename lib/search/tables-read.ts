import type { TableName } from '@/lib/definitions/definition'
import type { SearchTarget } from '@/lib/registry/target'
import type { Expansion, FieldRef, Resolved, ResolvedSearch } from './resolved'
import type { Join, RelatedRows } from './sql-terms'

/** Whether a search reads tables of a cluster: their rows are merged from several nodes. */
export const readsNodes = (target: SearchTarget, { joins = [], expand = [] }: Reads): boolean =>
  Boolean(target.isDistributed) ||
  everyJoin(joins).some(({ isDistributed }) => isDistributed) ||
  expand.some(({ relation, expand }) => readsNodes(relation.target, { expand }))

/** With those that the rules of joined tables need. */
const everyJoin = (joins: readonly Join[]): Join[] =>
  joins.flatMap((join) => [join, ...everyJoin(join.rule?.joins ?? [])])

type Reads = { joins?: Join[]; expand?: Expansion[] }

type Searched = { where: readonly Resolved[]; joins?: readonly Join[] }

/** The tables that conditions and the fields of `joins` need, besides that which is searched. */
export function otherTables({ where, joins = [] }: Searched): TableName[] {
  return [
    ...everyJoin(joins).map(({ table }) => table),
    ...where
      .flatMap(relatedOf)
      .flatMap((rows) => [
        rows.table,
        ...otherTables({ where: [], joins: rows.joins }),
        ...tablesOf(rows),
      ]),
  ]
}

/** Of what is between. */
const tablesOf = ({ link }: RelatedRows): TableName[] =>
  link ? [link.table, ...otherTables({ where: [], joins: link.rule?.joins })] : []

/** With those that conditions on them need. */
function relatedOf(condition: Resolved): RelatedRows[] {
  if (condition.type === 'test') return figuresOf(condition.field)
  const within = condition.of.flatMap(relatedOf)
  return condition.type === 'related' ? [condition.rows, ...within] : within
}

/** What a field is made of, with what that is made of. */
export const figuresOf = ({ figure }: FieldRef): RelatedRows[] =>
  figure ? [figure, ...(figure.summed ? figuresOf(figure.summed) : [])] : []

/** Whether conditions name records that refer to those that are searched. */
export const hasRelated = ({ where }: Searched): boolean =>
  where.some((one) => relatedOf(one).length > 0)

/** Whether the order or what is returned depends on figures of these records. */
export const showsFigures = ({ sort, fields }: Pick<ResolvedSearch, 'sort' | 'fields'>): boolean =>
  [...sort, ...(fields ?? [])].some((one) => 'field' in one && one.field.figure)
