import { Card } from '@/components/ui/card'
import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { ACTIONS, type Action, type EntityDraft, LOGS, type Log } from './entity-draft'
import { Check, Text } from './field-inputs'

const LOG_WORDS: Record<Log, { label: string; hint: string }> = {
  history: { label: 'Keep history', hint: 'Every change of a record can be seen and taken back' },
  events: { label: 'Keep events', hint: 'Clients and webhooks can follow the changes' },
  auditable: { label: 'Audit fields', hint: 'Who created and last changed a record, and when' },
}

const DUPLICATES = [
  { value: 'Error', label: 'Rejects the file' },
  { value: 'Upsert', label: 'Updates the record' },
  { value: 'Ignore', label: 'Keeps the existing record' },
]
const UPDATES = [
  { value: 'Upsert', label: 'Changes the given fields' },
  { value: 'Replace', label: 'Replaces the record' },
]
const ACTION_WORDS: Record<Action, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'Records can be read' },
  write: { label: 'Write', hint: 'Records can be created' },
  update: { label: 'Update', hint: 'Records can be changed' },
  delete: { label: 'Delete', hint: 'Records can be deleted' },
}

type Props = { draft: EntityDraft; onChange: (part: Partial<EntityDraft>) => void }

/** What an entity is called, what is kept of its records and what may be done with them. */
export function SettingsCard({ draft, onChange }: Props) {
  const { label, description, logs, permissions, insertDuplicate, updateStrategy } = draft
  return (
    <Card title="Settings">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField label="Title" hint="As people see it">
          <Text value={label} onChange={(text) => onChange({ label: text })} />
        </FormField>
        <FormField label="Description">
          <Text value={description} onChange={(text) => onChange({ description: text })} />
        </FormField>
        <Checks legend="Kept of changes">
          {LOGS.map((log) => (
            <Check
              key={log}
              {...LOG_WORDS[log]}
              checked={logs[log]}
              onChange={(checked) => onChange({ logs: { ...logs, [log]: checked } })}
            />
          ))}
          <Check
            label="Any other fields"
            hint="Fields that are not declared are kept; otherwise records with them are refused"
            checked={draft.isOpen}
            onChange={(isOpen) => onChange({ isOpen })}
          />
        </Checks>
        <Checks legend="Links">
          <Check
            label="Links two entities"
            hint="Its two references give each side a list of the other"
            checked={draft.isLink}
            onChange={(isLink) => onChange({ isLink })}
          />
        </Checks>
        <FormField label="A file with an existing record">
          <Select
            value={insertDuplicate}
            onValueChange={(next) => onChange({ insertDuplicate: next })}
            options={DUPLICATES}
          />
        </FormField>
        <FormField label="An update">
          <Select
            value={updateStrategy}
            onValueChange={(next) => onChange({ updateStrategy: next })}
            options={UPDATES}
          />
        </FormField>
        <Checks legend="Permitted actions">
          {ACTIONS.map((action) => (
            <Check
              key={action}
              {...ACTION_WORDS[action]}
              checked={permissions[action]}
              onChange={(checked) =>
                onChange({ permissions: { ...permissions, [action]: checked } })
              }
            />
          ))}
        </Checks>
      </div>
    </Card>
  )
}

const Checks = ({ legend, children }: { legend: string; children: React.ReactNode }) => (
  <fieldset className="grid gap-2 sm:col-span-2 sm:grid-cols-2">
    <legend className="mb-1.5 text-[13px] font-medium">{legend}</legend>
    {children}
  </fieldset>
)
