import { countOf, formatCount } from '@/components/ui/number'
import type { UninstallReport } from '@/lib/plugins/uninstall-contract'

/** What goes, what stays, and what names it. */
export function UninstallSummary({ report }: { report: UninstallReport }) {
  const { plugins, records, entities, schemas, types, roles, policies, mentions } = report
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

const mentionsText = ({ policies, apiKeys, views }: UninstallReport['mentions']) =>
  [
    policies.length > 0 && `policies ${policies.map(({ name }) => name).join(', ')}`,
    apiKeys.length > 0 && `API keys ${apiKeys.map(({ name }) => name).join(', ')}`,
    views.length > 0 && `views ${views.map(({ name }) => name).join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
