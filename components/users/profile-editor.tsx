import { PlusIcon, XIcon } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Input, Textarea } from '@/components/ui/input'
import { Tabs } from '@/components/ui/tabs'
import { useRowFocus } from '@/components/ui/use-row-focus'
import { type Entry, entriesOf, jsonFault, withEntries } from './profile-text'

type Props = { text: string; onChange: (text: string) => void }

/** A free-form profile: as names and values, or as JSON. Both edit the same text. */
export function ProfileEditor({ text, onChange }: Props) {
  return (
    <Tabs
      aria-label="Profile format"
      tabs={[
        { value: 'form', label: 'Form', content: <ProfileForm text={text} onChange={onChange} /> },
        {
          value: 'json',
          label: 'JSON',
          content: (
            <FormField
              name="profile"
              label="Profile as JSON"
              hideLabel
              error={jsonFault(text)}
              className="pt-3"
            >
              <Textarea
                code
                rows={8}
                value={text}
                onChange={(event) => onChange(event.target.value)}
              />
            </FormField>
          ),
        },
      ]}
    />
  )
}

function ProfileForm({ text, onChange }: Props) {
  const rows = useRowFocus()
  const entries = entriesOf(text)
  if (!entries) {
    return <p className="pt-3 text-muted-foreground">Fix the JSON to edit its fields here.</p>
  }
  const set = (at: number, entry: Entry) =>
    onChange(withEntries(entries.map((each, index) => (index === at ? entry : each))))
  return (
    <div ref={rows.area} className="grid gap-2 pt-3">
      {entries.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
        <div key={at} data-row className="flex gap-2">
          <Input
            aria-label={`Name of field ${at + 1}`}
            className="basis-40"
            value={name}
            onValueChange={(next) => set(at, [next, value])}
          />
          <Input
            aria-label={`Value of ${name || `field ${at + 1}`}`}
            className="flex-1"
            value={value}
            onValueChange={(next) => set(at, [name, next])}
          />
          <IconButton
            icon={XIcon}
            size="icon"
            label={`Remove ${name || `field ${at + 1}`}`}
            onClick={() =>
              rows.remove(() => onChange(withEntries(entries.filter((_, index) => index !== at))))
            }
          />
        </div>
      ))}
      <div>
        <Button
          data-add
          size="sm"
          onClick={() => rows.add(() => onChange(withEntries([...entries, ['', '']])))}
        >
          <PlusIcon aria-hidden />
          Add field
        </Button>
      </div>
    </div>
  )
}
