import { useQuery } from '@tanstack/react-query'
import { DatabaseIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { parseAsString, useQueryState } from 'nuqs'
import { useMemo } from 'react'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { ListFilter } from '@/components/ui/list-filter'
import { Pager as RolePager } from '@/components/ui/pager'
import { EmptyState } from '@/components/ui/state'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import type { Decisions, RightsOfRoles, Role } from '@/lib/policies/contract'
import { DecisionMark, Legend, LOOKS, outcomeOf } from './decision-mark'
import { ACTION_WORDS, BUILT_IN_WORDS } from './right-words'
import { ROLES_A_PAGE, rightsOptions } from './role-queries'
import { useRoleParams } from './use-role-params'

const RightsPanel = dynamic(() => import('./rights-panel'), { ssr: false })

const LAYOUT = 'rights'

/** Conditions are not typed here. */
const NO_FIELDS: readonly never[] = []

/** Every entity by every role: what each may do, and whether the role or a policy decides. */
export function RightsView() {
  const list = useListState()
  const { role, rolePage, setRole, setRolePage } = useRoleParams()
  const [entity, open] = useQueryState('entity', parseAsString.withOptions({ history: 'push' }))
  const { q, page, size } = list
  const rights = useQuery(rightsOptions({ q, page, size, role, rolePage }))
  const rows = useMemo(() => rights.data?.data ?? [], [rights.data])
  const roles = rights.data?.meta.roles
  const columns = useMemo(() => rightsColumns(roles ?? []), [roles])
  const opened = rows.find((row) => row.entity === entity)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by entity" fields={NO_FIELDS} />
        <ListFilter label="Search roles" text={role} onText={setRole} />
        <span className="hidden sm:ml-auto sm:block" />
        <ColumnsMenu columns={columns} list={list} layoutKey={LAYOUT} />
      </div>
      <Legend />
      <DataTable
        label="Rights of roles on entities"
        layoutKey={LAYOUT}
        columns={columns}
        rows={rows}
        rowId={(row) => row.entity}
        list={list}
        loading={rights}
        onOpen={(row) => void open(row.entity)}
        empty={
          <EmptyState icon={DatabaseIcon} title="No entities yet">
            Install a plugin: its entities are listed here with what each role may do.
          </EmptyState>
        }
      />
      <RolePager
        aria-label="Pages of roles"
        page={rolePage - 1}
        size={ROLES_A_PAGE}
        total={rights.data?.meta.roleCount ?? 0}
        onPage={(next) => setRolePage(next + 1)}
        text="roles"
      />
      <Pager list={list} total={rights.data?.pagination?.total} shown={rows.length} />
      {opened && rights.data && (
        <RightsPanel row={opened} meta={rights.data.meta} onClose={() => void open(null)} />
      )}
    </>
  )
}

/** The entity, then a column for each role with a mark for each action. */
const rightsColumns = (roles: readonly Role[]): Column<RightsOfRoles>[] => [
  {
    id: 'entity',
    header: 'Entity',
    fixed: true,
    sticky: true,
    opens: true,
    sortable: false,
    width: 168,
    cell: ({ entity }) => entity,
  },
  ...roles.map(
    (role, at): Column<RightsOfRoles> => ({
      id: `role:${role.name}`,
      header: role.name,
      hint: hintOf(role),
      sortable: false,
      width: 132,
      cell: ({ roles }) => roles[at] && <Marks decisions={roles[at]} />,
      text: ({ roles }) => (roles[at] ? allowedActions(roles[at]).join(', ') : ''),
    }),
  ),
]

function hintOf({ name, label, description, users }: Role): string {
  const builtIn = BUILT_IN_WORDS[name as keyof typeof BUILT_IN_WORDS]
  const what = builtIn?.may ?? description ?? label ?? 'A role that plugins or users name'
  return `${what} (${users === 1 ? '1 user' : `${users} users`})`
}

const allowedActions = (decisions: Decisions) =>
  RECORD_ACTIONS.filter((action) => decisions[action].allowed).map((action) => ACTION_WORDS[action])

/** The four actions in their order: read, create, change, delete. */
const Marks = ({ decisions }: { decisions: Decisions }) => (
  <span className="flex items-center gap-2.5">
    {RECORD_ACTIONS.map((action) => {
      const words = `${ACTION_WORDS[action]}: ${LOOKS[outcomeOf(decisions[action])].word}`
      return (
        <span key={action} title={words}>
          <DecisionMark decision={decisions[action]} />
          <span className="sr-only">{words}. </span>
        </span>
      )
    })}
  </span>
)
