import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable, type Loading } from '@/components/data-table/data-table'
import type { Condition } from '@/components/data-table/filter/condition'
import type { FilterField } from '@/components/data-table/filter/field'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import type { ListParams } from '@/components/data-table/list-params'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { Page } from '@/components/shell/page'
import { useNavigate } from '@/components/ui/pending-page'
import { EmptyState } from '@/components/ui/state'
import { ApiError, type ApiResponse } from '@/lib/http/client'
import { useSearch } from '@/lib/query/search'
import type { ListQuery } from './list-query'

type Rows<Row> = Loading & { data: ApiResponse<Row> | undefined }

/** What a list opens and what stands beside it: panels and dialogs. */
export type Panel<Row> = {
  open?: (row: Row) => void
  /** Actions at the end of a row; the same function from render to render. */
  rowActions?: (row: Row) => ReactNode
  /** Buttons in the heading of the page, and in place of rows while there are none. */
  actions?: ReactNode
  panel?: ReactNode
}

type Definition<Row> = {
  /** Names the table to screen readers. */
  label: string
  /** Under which this browser keeps widths and density. */
  layoutKey: string
  /** The heading of the page; a list without one is a part of another page. */
  page?: { title: string; description: ReactNode }
  /** Search, filter and choice of columns above the table. */
  toolbar?: { searchLabel: string; filters: readonly FilterField[] }
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** The page of a row; without one a row opens in the panel. */
  href?: (row: Row) => string
  usePanel?: () => Panel<Row>
  /** Pixels of the column of the actions of rows, for more than one button. */
  actionsWidth?: number
  empty: { icon: LucideIcon; title: string; text: string }
} & (
  | { query: ListQuery; useRows?: never }
  | { query?: never; useRows: (params: ListParams) => Rows<Row> }
) &
  (
    | { columns: readonly Column<Row>[]; useColumns?: never }
    | { columns?: never; useColumns: (rows: readonly Row[]) => readonly Column<Row>[] }
  )

/**
 * Makes a list of the console from its declaration: rows from the server by the address of the page,
 * search, filter and columns above them, pages below, what opens beside them. The component takes
 * conditions that always hold; the hooks of the declaration are called in each of its renders.
 */
export function defineList<Row>(definition: Definition<Row>) {
  const { page, toolbar, empty, label, layoutKey, rowId, rowName, href, actionsWidth } = definition
  const { usePanel = useNoPanel<Row> } = definition
  const useRows = definition.useRows ?? searchRows<Row>(definition.query)
  const columns = definition.useRows ? definition.columns?.map(unsorted<Row>) : definition.columns
  const useColumns = definition.useColumns ?? (() => columns ?? [])
  return function List({ within }: { within?: readonly Condition[] }) {
    const navigate = useNavigate()
    const list = useListState()
    const result = useRows(list, within)
    const { isPending, isFetching, refetch } = result
    const error = useOwnError(result.error, within?.length ?? 0)
    const rows = useMemo(() => result.data?.data ?? [], [result.data])
    const shown = useColumns(rows)
    const { open, rowActions, actions, panel } = usePanel()
    const body = (
      <>
        {toolbar && (
          <>
            <div className="flex items-center gap-2">
              <SearchBox list={list} label={toolbar.searchLabel} fields={toolbar.filters} />
              <FilterButton fields={toolbar.filters} list={list} />
              <span className="sm:ml-auto" />
              <ColumnsMenu columns={shown} list={list} layoutKey={layoutKey} />
            </div>
            <FilterChips fields={toolbar.filters} list={list} error={error} />
          </>
        )}
        <DataTable
          columns={shown}
          {...{ label, layoutKey, rows, rowId, rowName, href, list, rowActions, actionsWidth }}
          loading={{ isPending, isFetching, error, refetch }}
          onOpen={href ? (row) => navigate(href(row)) : open}
          empty={
            <EmptyState icon={empty.icon} title={empty.title} actions={actions}>
              {empty.text}
            </EmptyState>
          }
        />
        <Pager list={list} total={result.data?.pagination?.total} shown={rows.length} />
        {panel}
      </>
    )
    if (!page) return body
    return (
      <Page fill title={page.title} description={page.description} actions={actions}>
        {body}
      </Page>
    )
  }
}

/** The error with positions in the list's own filter, which stands after `before` conditions that always hold. */
function useOwnError(error: Error | null, before: number): Error | null {
  return useMemo(() => {
    if (!(error instanceof ApiError) || before === 0) return error
    const own = (path: string) =>
      path.replace(/^query\.(\d+)/, (_, index: string) => `query.${Number(index) - before}`)
    const validations = error.validations.map((each) => ({ ...each, field: own(each.field) }))
    return new ApiError(error.status, error.message, validations, error.meta, error.requestId)
  }, [error, before])
}

/** Rows that no search finds come in an order of their own. */
const unsorted = <Row,>(column: Column<Row>): Column<Row> => ({ ...column, sortable: false })

const useNoPanel = <Row,>(): Panel<Row> => ({})

const searchRows =
  <Row,>({ entity, search }: ListQuery) =>
  (params: ListParams, within?: readonly Condition[]): Rows<Row> =>
    useSearch<Row>(entity, search(params, within))
