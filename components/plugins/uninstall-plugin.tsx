import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { refreshRecords } from '@/components/trash/trash-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { useNavigate } from '@/components/ui/pending-page'
import { RadioCards } from '@/components/ui/radio-cards'
import { Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import { apiItem } from '@/lib/http/client'
import type { UninstallReport } from '@/lib/lifecycle/contract'
import { getQueryClient } from '@/lib/query/client'
import { type PluginRow, pluginKey } from './searches'

type Props = { plugin: Pick<PluginRow, 'id' | 'name'>; onClose: () => void }

const CHOICES: readonly { value: Choice['records']; label: string; hint: string }[] = [
  {
    value: 'trash',
    label: 'Move entities to Recently changed',
    hint: 'With their tables. Everything can be restored from there.',
  },
  {
    value: 'keep',
    label: 'Keep entities and records',
    hint: 'They are served as before and belong to no plugin. Roles, policies and webhooks are removed.',
  },
]

/** Reports what uninstalling would do, and does it when the plugin's name is typed. */
export default function UninstallPlugin({ plugin, onClose }: Props) {
  const navigate = useNavigate()
  const isOwnPage = usePathname() !== '/plugins'
  const [choice, setChoice] = useState<Choice>({ records: 'trash', with: [] })
  const report = useQuery({
    ...reportOptions(plugin.id, choice),
    placeholderData: keepPreviousData,
  })
  const removal = useMutation({
    mutationFn: () => uninstall(plugin.id, choice),
    onSuccess: (done) => {
      announce(done)
      onClose()
      if (isOwnPage) navigate('/plugins')
    },
    onError: () => void report.refetch(),
  })
  const blockers = report.data?.blockedBy ?? []
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Uninstall ${plugin.name}?`}
      description="This is what it would do. Nothing has changed yet."
      confirmLabel="Uninstall"
      typeToConfirm={plugin.name}
      disabled={!report.data || report.isPlaceholderData || blockers.length > 0}
      attempt={removal}
      error={report.error?.message}
      onConfirm={() => removal.mutate()}
    >
      <RadioCards
        aria-label="Entities and records"
        value={choice.records}
        onValueChange={(records) => setChoice({ ...choice, records })}
        choices={CHOICES}
      />
      {report.data ? <UninstallSummary report={report.data} /> : <Skeleton className="h-28" />}
      <Blocked
        blockers={blockers}
        onInclude={(ids) => setChoice({ ...choice, with: [...choice.with, ...ids] })}
      />
    </ConfirmDialog>
  )
}

type BlockedProps = {
  blockers: UninstallReport['blockedBy']
  onInclude: (ids: string[]) => void
}

function Blocked({ blockers, onInclude }: BlockedProps) {
  if (blockers.length === 0) return null
  const owners = [...new Set(blockers.flatMap(({ pluginId }) => pluginId ?? []))]
  return (
    <Notice
      tone="warning"
      role="alert"
      title="Others need what would go"
      actions={
        owners.length > 0 && (
          <Button size="sm" onClick={() => onInclude(owners)}>
            Include them
          </Button>
        )
      }
    >
      <ul>
        {blockers.map(({ entity, pluginId, field, target }) => (
          <li key={`${entity} ${field}`} className="break-words">
            {entity} {pluginId && `of ${pluginId}`}{' '}
            {field ? `refers to ${target} (${field})` : `uses the schema ${target}`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function announce({ plugins, batchId }: UninstallReport): void {
  toast.success(`${plugins.map(({ name }) => name).join(', ')} uninstalled`, {
    duration: 20_000,
    description: (
      <Link
        href={`/trash?batch=${batchId}`}
        className="rounded underline underline-offset-2"
        onClick={() => toast.dismiss()}
      >
        Open Recently changed to restore it
      </Link>
    ),
  })
}

type Choice = { records: 'trash' | 'keep'; with: readonly string[] }

/** What uninstalling would do now. */
const reportOptions = (id: string, choice: Choice) =>
  queryOptions({
    queryKey: ['uninstall-report', id, choice],
    queryFn: ({ signal }) => send(id, choice, { dryRun: true, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Uninstalls a plugin and refreshes what shows plugins, entities and the trash. */
async function uninstall(id: string, choice: Choice): Promise<UninstallReport> {
  const report = await send(id, choice, { dryRun: false })
  getQueryClient().removeQueries({ queryKey: pluginKey(id), type: 'inactive' })
  await getQueryClient().invalidateQueries({ queryKey: ['plugin-index'] })
  await refreshRecords()
  return report
}

async function send(
  id: string,
  choice: Choice,
  { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal },
): Promise<UninstallReport> {
  const params = new URLSearchParams({ records: choice.records })
  if (dryRun) params.set('dryRun', 'true')
  if (choice.with.length > 0) params.set('with', choice.with.join(','))
  const path = `/api/plugins/${encodeURIComponent(id)}?${params}`
  return apiItem<UninstallReport>(path, { method: 'DELETE', signal })
}

/** What goes, what stays, and what names it. */
function UninstallSummary({ report }: { report: UninstallReport }) {
  const { plugins, records, entities, schemas, types, roles, policies, webhooks, mentions } = report
  const keeps = records === 'keep'
  const rules = [...roles, ...policies.map(({ name }) => name)]
  const denials = policies.filter(({ allow }) => !allow).map(({ name }) => name)
  return (
    <dl className="grid max-h-60 grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 overflow-y-auto rounded-lg border px-3 py-2.5 text-[13px]">
      {plugins.length > 1 && (
        <Line label="Plugins" text={plugins.map(({ name }) => name).join(', ')} />
      )}
      <dt className="text-muted-foreground">{keeps ? 'Kept' : 'Entities'}</dt>
      <dd>
        {entities.length === 0 ? (
          'None'
        ) : (
          <ul>
            {entities.map(({ name, records: count, isEstimate, edited }) => (
              <li key={name} className="flex flex-wrap justify-between gap-x-3">
                <span className="min-w-0 break-words">{name}</span>
                <span className="tabular text-muted-foreground">
                  {count === null ? '' : `${isEstimate ? '~' : ''}${countOf(count, 'record')}`}
                  {edited ? `, ${formatCount(edited)} edited here` : ''}
                </span>
              </li>
            ))}
          </ul>
        )}
      </dd>
      {!keeps && <Line label="Schemas, types" text={[...schemas, ...types].join(', ')} />}
      <Line label="Roles, policies" text={rules.join(', ')} />
      <Line label="Webhooks, with their addresses" text={webhooks.join(', ')} />
      {denials.length > 0 && (
        <Line
          label="Take care"
          text={`What ${denials.join(', ')} denied may then be allowed by others.`}
        />
      )}
      <Line label="Named by" text={mentionsText(mentions)} />
    </dl>
  )
}

const Line = ({ label, text }: { label: string; text: string }) =>
  text === '' ? null : (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 break-words">{text}</dd>
    </>
  )

const mentionsText = ({ policies, apiKeys, views, hidden }: UninstallReport['mentions']) =>
  [
    policies.length > 0 && `policies ${policies.map(({ name }) => name).join(', ')}`,
    apiKeys.length > 0 && `API keys ${apiKeys.map(({ name }) => name).join(', ')}`,
    views.length > 0 && `views ${views.map(({ name }) => name).join(', ')}`,
    hidden.policies > 0 && `${hidden.policies} policies that you may not read`,
    hidden.apiKeys > 0 && `${hidden.apiKeys} API keys that you may not read`,
    hidden.views > 0 && `${hidden.views} views that you may not read`,
  ]
    .filter(Boolean)
    .join('; ')
