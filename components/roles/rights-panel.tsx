import { usePluginNames } from '@/components/plugins/plugin-names'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Sheet } from '@/components/ui/sheet'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import type { Decisions, RightsMeta, RightsOfRoles } from '@/lib/policies/contract'
import { DecisionMark } from './decision-mark'
import { ACTION_WORDS, whyOf } from './right-words'

type Props = { row: RightsOfRoles; meta: RightsMeta; onClose: () => void }

/** What each of the roles may do with one entity, and why. */
export default function RightsPanel({ row, meta, onClose }: Props) {
  return (
    <Sheet
      onClose={onClose}
      title={`Rights on ${row.entity}`}
      description="What each role may do with its records, and why"
      actions={
        <Link
          href={`/entities/${encodeURIComponent(row.entity)}`}
          className={buttonClass({ size: 'sm' })}
        >
          Records
        </Link>
      }
    >
      <div className="grid gap-5 p-4">
        {meta.roles.map(({ name }, at) => {
          const decisions = row.roles[at]
          return (
            decisions && (
              <OfRole
                key={name}
                entity={row.entity}
                name={name}
                decisions={decisions}
                meta={meta}
              />
            )
          )
        })}
      </div>
    </Sheet>
  )
}

type OfRoleProps = { entity: string; name: string; decisions: Decisions; meta: RightsMeta }

function OfRole({ entity, name, decisions, meta }: OfRoleProps) {
  const pluginName = usePluginNames()
  return (
    <section aria-label={name} className="grid gap-1.5">
      <h3 className="font-medium">
        <Link
          href={`/roles/${encodeURIComponent(name)}?entity=${encodeURIComponent(entity)}`}
          className="hover:underline"
        >
          {name}
        </Link>
      </h3>
      <Reasons decisions={decisions} sources={{ policies: meta.policies, pluginName }} />
    </section>
  )
}

type ReasonsProps = { decisions: Decisions; sources: Parameters<typeof whyOf>[1] }

const Reasons = ({ decisions, sources }: ReasonsProps) => (
  <dl className="grid grid-cols-[5rem_1fr] gap-x-3 gap-y-1 text-[13px]">
    {RECORD_ACTIONS.map((action) => (
      <div key={action} className="contents">
        <dt className="flex items-start gap-1.5">
          <DecisionMark decision={decisions[action]} className="mt-0.75" />
          {ACTION_WORDS[action]}
        </dt>
        <dd className="text-muted-foreground">
          <span className="font-medium text-foreground">
            {decisions[action].allowed ? 'Yes' : 'No'}
          </span>
          , {whyOf(decisions[action], sources)}
        </dd>
      </div>
    ))}
  </dl>
)
