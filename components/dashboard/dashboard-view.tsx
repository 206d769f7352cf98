'use client'

import { useQuery } from '@tanstack/react-query'
import { countIn, trashedIn, wordsOf } from '@/components/audit/action-words'
import { AuditActor } from '@/components/audit/audit-actor'
import type { AuditRow } from '@/components/audit/audit-search'
import { ObjectName, useObjectNames } from '@/components/audit/object-names'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { useCan, useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Status } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { canForSome } from '@/lib/auth/rights'
import type { Readiness } from '@/lib/health/contract'
import { itemOptions } from '@/lib/query/item-options'
import { useSearch } from '@/lib/query/search'
import { Attention } from './attention'
import { Installs, RecordsByEntity } from './charts'
import {
  ACTIVITY,
  HEALTH_KEY,
  IMAGES_COUNT,
  PLUGINS_COUNT,
  USERS_COUNT,
} from './dashboard-searches'
import { FirstSteps } from './first-steps'

/** What needs attention first, then how much there is and what happened. */
export function DashboardView({ isNew }: { isNew: boolean }) {
  const mayReadSystem = useCan('system:read')
  const mayAdminister = useCan('users:manage') && mayReadSystem
  const mayRead = canForSome(holderOf(useViewer()), 'read')
  return (
    <>
      {isNew && mayAdminister && <FirstSteps />}
      {mayReadSystem && <Attention />}
      {mayRead && <Figures />}
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <div className="grid min-w-0 gap-4">
          <RecordsByEntity />
          {mayReadSystem && <Installs />}
        </div>
        <div className="grid min-w-0 gap-4">
          <Health />
          {mayReadSystem && <Activity />}
        </div>
      </div>
    </>
  )
}

/** How much there is of everything; each number leads to what it counts. */
function Figures() {
  const entities = useQuery(entitiesOptions)
  const list = entities.data?.data
  const records = list?.reduce((sum, each) => sum + (each.records?.value ?? 0), 0)
  const mayReadSystem = useCan('system:read')
  return (
    <dl className="grid grid-cols-2 gap-3 *:last:odd:col-span-2 md:grid-cols-5 md:*:last:odd:col-span-1">
      <Figure label="Records" href="/entities" value={records} />
      <Figure label="Entities" href="/entities" value={list?.length} />
      {mayReadSystem && (
        <>
          <SearchFigure
            label="Plugins"
            href="/plugins"
            entity="EnginePlugins"
            search={PLUGINS_COUNT}
          />
          <SearchFigure label="Users" href="/users" entity="EngineUsers" search={USERS_COUNT} />
          <SearchFigure label="Images" href="/images" entity="EngineFiles" search={IMAGES_COUNT} />
        </>
      )}
    </dl>
  )
}

type SearchFigureProps = Omit<FigureProps, 'value'> & { entity: string; search: typeof USERS_COUNT }

function SearchFigure({ entity, search, ...props }: SearchFigureProps) {
  const response = useSearch(entity, search)
  return <Figure {...props} value={response.data?.pagination?.total ?? undefined} />
}

type FigureProps = { label: string; href: string; value: number | undefined }

const Figure = ({ label, href, value }: FigureProps) => (
  <div className="relative rounded-lg border bg-card px-4 py-3 hover:bg-accent/40">
    <dt className="text-[13px] text-muted-foreground">
      <Link href={href} className="after:absolute after:inset-0">
        {label}
      </Link>
    </dt>
    <dd className="tabular mt-0.5 text-xl font-semibold">
      {value === undefined ? <Skeleton className="my-1 h-5 w-16" /> : formatCount(value)}
    </dd>
  </div>
)

const REFRESH_MS = 30_000
const KINDS = { postgres: 'PostgreSQL', pglite: 'Embedded database' }

/** Whether database, mail and storage work. */
function Health() {
  const health = useQuery({
    ...itemOptions<Readiness>(HEALTH_KEY, '/api/health/ready'),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Card title="Health">
      {health.isPending ? <Skeleton className="h-24" /> : <States readiness={health.data} />}
    </Card>
  )
}

function States({ readiness }: { readiness: Readiness | undefined }) {
  if (!readiness) return <Status tone="destructive">The database is unavailable</Status>
  const { database, mail, storage } = readiness
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-2.5">
      <dt>{KINDS[database.kind]}</dt>
      <dd>
        <Status tone="success">Up</Status>
      </dd>
      <dt>Mail</dt>
      <dd>
        {mail.status === 'up' ? (
          <Status tone="success">Up</Status>
        ) : (
          <Status tone="neutral">Kept in the outbox</Status>
        )}
      </dd>
      <dt>Storage ({storage.provider})</dt>
      <dd>
        {storage.status === 'up' ? (
          <Status tone="success">Up</Status>
        ) : (
          <Status tone="destructive">Down</Status>
        )}
      </dd>
    </dl>
  )
}

/** The latest changes, from the audit log. */
function Activity() {
  const audit = useSearch<AuditRow>('EngineAuditLog', ACTIVITY)
  const nameOf = useObjectNames(audit.data?.data ?? [])
  return (
    <Card
      title="Recent activity"
      actions={
        <Link href="/audit" className="text-[13px] text-primary hover:underline">
          Audit log
        </Link>
      }
    >
      <ErrorState of={audit} />
      {audit.isPending && <Skeleton className="h-64" />}
      {audit.data?.data.length === 0 && <p className="text-muted-foreground">No changes yet.</p>}
      <ul className="grid gap-2">
        {audit.data?.data.map((row) => (
          <li key={row.id} className="grid grid-cols-[1fr_auto] gap-x-4">
            <span className="truncate">
              {wordsOf(row)}{' '}
              <span className="font-medium">
                {row.action.startsWith('records.') || row.action.startsWith('trash.') ? (
                  <>
                    <EntityLink name={row.objectType} />
                    {countIn(row) && <span className="font-normal"> · {countIn(row)}</span>}
                  </>
                ) : (
                  <ObjectName object={nameOf(row)} />
                )}
              </span>
            </span>
            <span className="text-[13px] text-muted-foreground">
              <Time value={row.createdAt} relative />
            </span>
            <span className="text-[13px] text-muted-foreground">
              <AuditActor {...row} />
            </span>
            <TrashLink row={row} />
            {row.details?.mail === 'kept' && (
              <span className="col-span-2 text-[13px] text-muted-foreground">
                Its mail is kept in the outbox
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Whether what was deleted is still there is said in the trash. */
function TrashLink({ row }: { row: AuditRow }) {
  const batchId = trashedIn(row)
  if (!batchId) return null
  return (
    <Link
      href={`/trash?batch=${batchId}`}
      className="text-right text-[13px] text-primary hover:underline"
    >
      Restore
    </Link>
  )
}

const EntityLink = ({ name }: { name: string }) => (
  <Link href={`/entities/${encodeURIComponent(name)}`} className="hover:underline">
    {name}
  </Link>
)
