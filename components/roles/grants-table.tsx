import { EyeIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo, useRef, useState } from 'react'
import { moveFocus } from '@/components/data-table/move-focus'
import { type Grant, grantOf } from '@/components/policies/grant'
import type { Policy } from '@/components/policies/policy-queries'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ListFilter } from '@/components/ui/list-filter'
import { Pager } from '@/components/ui/pager'
import { EmptyState } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { viewAsHref } from '@/components/view-as/view-as-link'
import { RECORD_ACTIONS, type RecordAction } from '@/lib/auth/rights'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { GrantMark, grantWords } from './grant-mark'
import { ACTION_WORDS } from './right-words'

const PolicyDialog = dynamic(() => import('@/components/policies/policy-dialog'), { ssr: false })

const ENTITIES_A_PAGE = 25

/** The cell that is open, in the address of the page. */
const PARAMS = { entity: parseAsString, action: parseAsStringLiteral(RECORD_ACTIONS) }

type Props = { role: string; policies: readonly Policy[]; entities: readonly EntitySummary[] }

/** Every entity by the four actions: all rows, some or none, with the fields. A press opens what says so. */
export function GrantsTable({ role, policies, entities }: Props) {
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const [open, setOpen] = useQueryStates(PARAMS, { history: 'push', scroll: false })
  const found = useMemo(() => entitiesCalled(entities, text), [entities, text])
  const shown = found.slice(page * ENTITIES_A_PAGE, (page + 1) * ENTITIES_A_PAGE)
  const opened = entities.find(({ name }) => name === open.entity)
  const { action } = open
  return (
    <>
      <ListFilter
        label="Search entities"
        text={text}
        onText={(next) => {
          setText(next)
          setPage(0)
        }}
      />
      <Card flush>
        <Rows
          {...{ role, policies }}
          entities={shown}
          onOpen={(entity, action) => void setOpen({ entity, action })}
        />
        {shown.length === 0 && (
          <EmptyState title={text ? `No entity is called like “${text}”` : 'No entities yet'}>
            {!text && 'What a role may do is listed here once a plugin brings entities.'}
          </EmptyState>
        )}
      </Card>
      <Pager
        aria-label="Pages of entities"
        page={page}
        size={ENTITIES_A_PAGE}
        total={found.length}
        onPage={setPage}
        text="entities"
      />
      {opened && action && (
        <PolicyDialog
          key={`${opened.name} ${action}`}
          subject={{ role, entity: opened.name, action }}
          grant={grantOf({ role, policies, entity: opened, action })}
          policies={policies}
          onClose={() => void setOpen({ entity: null, action: null })}
        />
      )}
    </>
  )
}

const NATURAL = new Intl.Collator('en', { numeric: true })

function entitiesCalled(entities: readonly EntitySummary[], text: string): EntitySummary[] {
  const term = text.trim().toLowerCase()
  return entities
    .filter(({ name, label }) => `${name}\n${label ?? ''}`.toLowerCase().includes(term))
    .sort((one, other) => NATURAL.compare(one.name, other.name))
}

type RowsProps = Props & { onOpen: (entity: string, action: RecordAction) => void }

function Rows({ role, policies, entities, onOpen }: RowsProps) {
  const table = useRef<HTMLTableElement>(null)
  return (
    <Table
      ref={table}
      aria-label={`Rights of ${role}`}
      className="table-fixed [&_tbody_tr:last-child>*]:border-b-0"
      onKeyDown={(event) => void moveFocus(event, table.current)}
    >
      <thead>
        <tr>
          <Th className="w-[30%] max-sm:w-28 max-sm:px-2">Entity</Th>
          {RECORD_ACTIONS.map((action) => (
            <Th key={action} className="max-sm:px-1.5">
              {ACTION_WORDS[action]}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entities.map((entity) => (
          <tr key={entity.name}>
            <Th scope="row" className="h-auto px-4 py-2 text-[13px] max-sm:px-2">
              <EntityName entity={entity.name} role={role} />
            </Th>
            {RECORD_ACTIONS.map((action) => (
              <Td key={action} className="h-px p-0.5">
                <GrantButton
                  grant={grantOf({ role, policies, entity, action })}
                  total={entity.fields.length}
                  label={`${ACTION_WORDS[action]} ${entity.name}`}
                  onPress={() => onOpen(entity.name, action)}
                />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The name, and the way to its records as the role sees them. */
const EntityName = ({ entity, role }: { entity: string; role: string }) => (
  <span className="flex items-center justify-between gap-1 text-foreground">
    <span className="min-w-0 truncate" title={entity}>
      {entity}
    </span>
    <a
      href={viewAsHref(entity, `role:${role}`)}
      aria-label={`View ${entity} as ${role}`}
      title={`View ${entity} as ${role}`}
      className={buttonClass({ variant: 'ghost', size: 'icon-sm' }, 'max-sm:hidden')}
    >
      <EyeIcon aria-hidden />
    </a>
  </span>
)

type ButtonProps = { grant: Grant; total: number; label: string; onPress: () => void }

const GrantButton = ({ grant, total, label, onPress }: ButtonProps) => (
  <button
    type="button"
    aria-label={`${label}: ${grantWords(grant, total)}`}
    className="grid h-full min-h-11 w-full content-center gap-0.5 rounded-md px-3.5 py-1 text-left transition-colors hover:bg-accent max-sm:px-1"
    onClick={onPress}
  >
    <GrantMark grant={grant} total={total} />
  </button>
)
