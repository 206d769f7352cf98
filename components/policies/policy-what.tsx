import { ACTION_WORDS } from '@/components/roles/right-words'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Notice } from '@/components/ui/notice'
import { Segmented } from '@/components/ui/segmented'
import { isSameRole, RECORD_ACTIONS } from '@/lib/auth/rights'
import type { PolicyDraft, Subject } from './policy-draft'

type Props = {
  draft: PolicyDraft
  onChange: (part: Partial<PolicyDraft>) => void
  subject: Subject
}

/** Whether the policy allows or denies, and which actions. */
export function PolicyWhat({ draft, onChange, subject }: Props) {
  const { allow, actions } = draft
  return (
    <div className="grid gap-4">
      <Others draft={draft} subject={subject} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Segmented
          aria-label="Effect"
          value={allow ? 'allow' : 'deny'}
          onValueChange={(next) => onChange({ allow: next === 'allow' })}
          options={[
            { value: 'allow', label: 'Allow' },
            { value: 'deny', label: 'Deny' },
          ]}
        />
        <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
          <legend className="sr-only">Actions</legend>
          {RECORD_ACTIONS.map((action) => (
            <LabelledCheckbox
              key={action}
              label={ACTION_WORDS[action]}
              checked={actions.includes(action)}
              disabled={actions.length === 1 && actions.includes(action)}
              onCheckedChange={(on) =>
                onChange({
                  actions: RECORD_ACTIONS.filter((each) =>
                    each === action ? on : actions.includes(each),
                  ),
                })
              }
            />
          ))}
        </fieldset>
      </div>
    </div>
  )
}

/** Whom and what else the policy is about: saving changes it for them, too. */
function Others({ draft, subject }: Pick<Props, 'draft' | 'subject'>) {
  const roles = draft.principals
    .filter((name) => !isSameRole(name, subject.role))
    .map((name) => (name === '*' ? 'every role' : `the role ${name}`))
  const entities = draft.entities
    .filter((name) => name.toLowerCase() !== subject.entity.toLowerCase())
    .map((name) => (name === '*' ? 'every entity' : name))
  const all = [...roles, ...entities]
  if (all.length === 0) return null
  return (
    <Notice title="This policy is about more than this cell">
      It also concerns {new Intl.ListFormat('en').format(all)}, and a change counts there as well.
    </Notice>
  )
}
