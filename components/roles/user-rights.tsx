import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ListFilter } from '@/components/ui/list-filter'
import { Notice } from '@/components/ui/notice'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { ViewAsLink } from '@/components/view-as/view-as-link'
import { type Permission, RECORD_ACTIONS } from '@/lib/auth/rights'
import type { Decision, EntityRights, UserRightsMeta } from '@/lib/policies/contract'
import type { User } from '@/lib/users/contract'
import { DecisionMark } from './decision-mark'
import { ACTION_WORDS, PERMISSION_WORDS, whyOf } from './right-words'
import { RIGHTS_A_PAGE, userRightsOptions } from './role-queries'

/** What a user may do, entity by entity, and why. */
export default function UserRights({ user }: { user: User }) {
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const entity = useDeferredValue(text.trim())
  const rights = useQuery(userRightsOptions(user.userId, entity, page))
  if (rights.error) return <ErrorState of={rights} />
  if (!rights.data) return <Skeleton className="h-64 rounded-lg" />
  const { data, meta, total } = rights.data
  return (
    <Card
      title="Rights"
      actions={
        <>
          <ViewAsLink as={`user:${user.userId}`} name={user.email} size="sm" />
          <Link href="/roles" className="text-[13px] text-primary hover:underline">
            All roles
          </Link>
        </>
      }
    >
      <div className="grid gap-4">
        <Limits meta={meta} />
        <OtherRights meta={meta} />
        <ListFilter
          label="Search entities"
          text={text}
          onText={(next) => {
            setText(next)
            setPage(0)
          }}
        />
        {data.length > 0 ? (
          <RightsTable rows={data} meta={meta} />
        ) : (
          <EmptyState
            title={entity ? `No entity is called like “${entity}”` : 'No entities yet'}
            className="py-6"
          >
            {!entity && 'Rights on records are listed here once a plugin brings entities.'}
          </EmptyState>
        )}
        <Pager
          aria-label="Pages of rights"
          page={page}
          size={RIGHTS_A_PAGE}
          total={total}
          onPage={setPage}
          text="entities"
        />
      </div>
    </Card>
  )
}

/** What to know before the rights are read. */
function Limits({ meta: { status, roles } }: { meta: UserRightsMeta }) {
  if (status !== 'ACTIVATED') {
    return (
      <Notice title="None of this applies yet">
        The account can’t sign in{status === 'DISABLED' && ' while it is disabled'}. These are the
        rights that its roles give.
      </Notice>
    )
  }
  if (roles.some(({ grants }) => grants)) return null
  return (
    <Notice tone="warning" title="These roles grant nothing">
      They sign in and see an empty console. Give them another role, or install the plugin whose
      policies name this one.
    </Notice>
  )
}

function OtherRights({ meta: { permissions } }: { meta: UserRightsMeta }) {
  const granted = permissions.flatMap(({ permission, role }) =>
    role ? [{ permission: permission as Permission, role }] : [],
  )
  if (granted.length === 0)
    return (
      <p className="text-[13px] text-muted-foreground">
        No rights on images, plugins, users or settings.
      </p>
    )
  return (
    <section aria-label="Rights that are not about records" className="text-[13px]">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {granted.map(({ permission, role }) => (
          <li key={permission}>
            {PERMISSION_WORDS[permission]} <span className="text-muted-foreground">({role})</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type TableProps = { rows: readonly EntityRights[]; meta: UserRightsMeta }

function RightsTable({ rows, meta }: TableProps) {
  const pluginName = usePluginNames()
  const sources = { policies: meta.policies, pluginName }
  return (
    <Table aria-label="Rights on records" className="[&_td]:px-2 [&_th]:px-2">
      <thead>
        <tr>
          <Th>Entity</Th>
          {RECORD_ACTIONS.map((action) => (
            <Th key={action}>{ACTION_WORDS[action]}</Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.entity}>
            <Td>
              <Link
                href={`/entities/${encodeURIComponent(row.entity)}`}
                className="font-medium hover:underline"
              >
                {row.entity}
              </Link>
            </Td>
            {RECORD_ACTIONS.map((action) => (
              <Td key={action} className="min-w-28">
                <Answer decision={row[action]} why={whyOf(row[action], sources)} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const Answer = ({ decision, why }: { decision: Decision; why: string }) => (
  <span className="flex items-start gap-1.5">
    <DecisionMark decision={decision} className="mt-0.75" />
    <span className="min-w-0">
      {decision.allowed ? 'Yes' : 'No'}
      <span className="block text-xs text-muted-foreground">{why}</span>
    </span>
  </span>
)
