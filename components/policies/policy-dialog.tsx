import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { columnsOptions } from '@/components/entities/entity-queries'
import { useFilterFields } from '@/components/entities/use-filter-fields'
import { ACTION_WORDS, BUILT_IN_WORDS } from '@/components/roles/right-words'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState, Skeleton } from '@/components/ui/state'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { Grant } from './grant'
import { PolicyCard } from './policy-card'
import { denialOf, draftOf, newDraft, type PolicyDraft, type Subject } from './policy-draft'
import { PolicyForm } from './policy-form'
import type { Policy } from './policy-queries'

type Props = {
  subject: Subject
  grant: Grant
  /** All that concern the role. */
  policies: readonly Policy[]
  onClose: () => void
}

/** What a role may do with an entity by one action: the policies that say so, and the form of one. */
export default function PolicyDialog(props: Props) {
  const { subject, onClose } = props
  const columns = useQuery(columnsOptions(subject.entity))
  if (columns.data) return <Loaded {...props} columns={columns.data.data} />
  return (
    <Dialog size="lg" onClose={onClose} title={titleOf(subject)} isText>
      {columns.error ? <ErrorState of={columns} /> : <Skeleton className="h-40" />}
    </Dialog>
  )
}

const titleOf = ({ role, entity, action }: Subject) => `${role}: ${ACTION_WORDS[action]} ${entity}`

type LoadedProps = Props & { columns: ColumnDescription[] }

function Loaded({ subject, grant, policies, columns, onClose }: LoadedProps) {
  const isFirst = grant.policies.length === 0 && !grant.closed
  const [draft, setDraft] = useState<PolicyDraft | null>(() =>
    isFirst && grant.rows === 'none' ? newDraft(subject, policies) : null,
  )
  if (draft) {
    return (
      <PolicyForm
        initial={draft}
        {...{ subject, columns }}
        title={titleOf(subject)}
        onBack={isFirst ? undefined : () => setDraft(null)}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      size="lg"
      onClose={onClose}
      title={titleOf(subject)}
      description="Policies that allow add up; one that denies wins for the rows and fields it names."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {!grant.closed && (
            <Button variant="primary" onClick={() => setDraft(newDraft(subject, policies))}>
              <PlusIcon aria-hidden />
              Add a policy
            </Button>
          )}
        </>
      }
    >
      <Policies
        {...{ subject, grant, columns }}
        onEdit={(policy) => setDraft(draftOf(policy))}
        onDeny={(policy) => setDraft(denialOf(policy, subject, policies))}
      />
    </Dialog>
  )
}

type PoliciesProps = Pick<LoadedProps, 'subject' | 'grant' | 'columns'> & {
  onEdit: (policy: Policy) => void
  onDeny: (policy: Policy) => void
}

function Policies({ subject, grant, columns, onEdit, onDeny }: PoliciesProps) {
  const fields = useFilterFields(columns)
  const builtIn = BUILT_IN_WORDS[subject.role as keyof typeof BUILT_IN_WORDS]
  return (
    <div className="grid gap-3">
      {grant.closed && (
        <p>The definition of {subject.entity} allows this to nobody, whatever policies say.</p>
      )}
      {builtIn && <p className="text-muted-foreground">{builtIn.may}</p>}
      {!builtIn && grant.policies.length === 0 && !grant.closed && <p>No policy names it.</p>}
      <ul aria-label="Policies" className="grid gap-3 empty:hidden">
        {grant.policies.map((policy) => (
          <PolicyCard
            key={policy.id}
            {...{ policy, columns, fields }}
            onEdit={() => onEdit(policy)}
            onDeny={() => onDeny(policy)}
          />
        ))}
      </ul>
    </div>
  )
}
