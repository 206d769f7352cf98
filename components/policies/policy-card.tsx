import { BanIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import type { FilterField } from '@/components/data-table/filter/field'
import { isMadeHere } from '@/components/model/made-here'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { policyWords } from '@/components/roles/right-words'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Badge, Status } from '@/components/ui/status'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { Policy } from './policy-queries'
import { conditionWords, fieldWords, valueWords } from './policy-words'

const RemoveDefinition = dynamic(() => import('@/components/model/remove-definition'), {
  ssr: false,
})

type Props = {
  policy: Policy
  columns: readonly ColumnDescription[]
  fields: readonly FilterField[]
  onEdit: () => void
  onDeny: () => void
}

/** What a policy does, where it comes from, and what can be done about it. */
export function PolicyCard({ policy, columns, fields, onEdit, onDeny }: Props) {
  const { name, description, plugin, invalid, allow } = policy
  const pluginName = usePluginNames()
  const mayEditPlugins = useCan('plugins:install')
  const [isRemoved, setRemoved] = useState(false)
  return (
    <li className="grid gap-2.5 rounded-lg border bg-card p-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            <span className="min-w-0 break-words">{name}</span>
            <Effect policy={policy} />
            <Badge>{plugin ? `From ${pluginName(plugin)}` : 'Made here'}</Badge>
          </h3>
          {description && <p className="text-[13px] text-muted-foreground">{description}</p>}
        </div>
        {plugin === null ? (
          <Button size="sm" onClick={onEdit}>
            <PencilIcon aria-hidden />
            {invalid === null ? 'Edit' : 'Mend'}
            <span className="sr-only"> {name}</span>
          </Button>
        ) : (
          <>
            {allow && (
              <Button size="sm" onClick={onDeny}>
                <BanIcon aria-hidden />
                Deny here
                <span className="sr-only"> what {name} allows</span>
              </Button>
            )}
            {mayEditPlugins && (
              <Button size="sm" onClick={onEdit}>
                <PencilIcon aria-hidden />
                Edit
                <span className="sr-only"> {name}</span>
              </Button>
            )}
            {mayEditPlugins && isMadeHere(plugin) && (
              <Button size="sm" variant="destructive-outline" onClick={() => setRemoved(true)}>
                <Trash2Icon aria-hidden />
                Remove
                <span className="sr-only"> {name}</span>
              </Button>
            )}
          </>
        )}
      </div>
      {isRemoved && plugin !== null && (
        <RemoveDefinition {...{ plugin, kind: 'policy', name }} onClose={() => setRemoved(false)} />
      )}
      {invalid !== null && <Invalid reason={invalid} isMine={plugin === null} />}
      <PolicyFacts policy={policy} columns={columns} fields={fields} />
      {plugin !== null && (
        <p className="text-xs text-muted-foreground">
          An edit becomes the next version of its plugin. A policy that denies wins over it.
        </p>
      )}
    </li>
  )
}

function Effect({ policy: { allow, invalid } }: { policy: Policy }) {
  if (invalid !== null) return <Status tone="destructive">Invalid</Status>
  if (allow) return <Status tone="success">Allows</Status>
  return (
    <Status tone="destructive" icon={BanIcon}>
      Denies
    </Status>
  )
}

/** Why a policy denies everything that it names. */
const Invalid = ({ reason, isMine }: { reason: string; isMine: boolean }) => (
  <Notice tone="destructive" title="Invalid: it denies what it names until it is mended">
    <span className="break-words">
      {reason}
      {!isMine && '. Its plugin has to be mended.'}
    </span>
  </Notice>
)

type FactsProps = Pick<Props, 'policy' | 'columns' | 'fields'>

function PolicyFacts({ policy, columns, fields }: FactsProps) {
  const { where, set, check, actions, entities } = policy
  const labelOf = (name: string) => {
    const column = columns.find((each) => each.name === name)
    return column ? fieldLabel(column) : name
  }
  const facts: [string, readonly string[]][] = [
    ['What', [policyWords({ ...policy, pluginId: policy.plugin, entities, actions })]],
    ['Rows', where?.length ? conditionWords(where, fields) : ['All']],
    ['Fields', [fieldWords(policy.fields, labelOf)]],
    ['Sets', set ? valueWords(set, fields) : []],
    ['Requires', check ? (check.length ? conditionWords(check, fields) : ['Nothing']) : []],
  ]
  return (
    <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
      {facts
        .filter(([, texts]) => texts.length > 0)
        .map(([name, texts]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="grid min-w-0 gap-0.5 break-words">
              {texts.map((text) => (
                <span key={text}>{text}</span>
              ))}
            </dd>
          </div>
        ))}
    </dl>
  )
}
