import type { Column } from '@/components/data-table/column'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import type { Decisions, RightsOfRoles, Role } from '@/lib/policies/contract'
import { DecisionMark, LOOKS, outcomeOf } from './decision-mark'
import { ACTION_WORDS, BUILT_IN_WORDS } from './right-words'

/** The entity, then a column for each role with a mark for each action. */
export const rightsColumns = (roles: readonly Role[]): Column<RightsOfRoles>[] => [
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
