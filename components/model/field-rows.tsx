import { RotateCcwIcon, Trash2Icon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import { type FieldDraft, FLAGS, isChanged, LIMITS } from './field-draft'

type Props = {
  fields: readonly FieldDraft[]
  /** Names of fields that identify records, which stay. */
  keys: readonly string[]
  onEdit: (at: number) => void
  /** Takes a field away, or what was edited of it back. */
  onRemove: (at: number) => void
  onReset: (at: number) => void
}

/** The fields as they are edited; what differs from the definition is marked. */
export function FieldRows({ fields, keys, onEdit, onRemove, onReset }: Props) {
  if (fields.length === 0) return <p className="px-4 py-4 text-muted-foreground">None</p>
  return (
    <Table aria-label="Fields" className="[&_tr:last-child>td]:border-b-0">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="max-md:hidden">Type</Th>
          <Th className="max-md:hidden">Rules</Th>
          <Th aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {fields.map((field, at) => (
          <tr
            key={field.name}
            className={field.isRemoved ? 'text-muted-foreground line-through' : undefined}
          >
            <Td className="min-w-32">
              <span className="font-mono text-xs wrap-anywhere">{field.name}</span>
              {field.label && <span className="ml-2 text-muted-foreground">{field.label}</span>}
              <Mark field={field} />
              <span className="grid gap-1 md:hidden">
                <span className="text-muted-foreground">{field.type}</span>
                <Rules field={field} />
              </span>
            </Td>
            <Td className="whitespace-nowrap max-md:hidden">{field.type}</Td>
            <Td className="max-md:hidden">
              <Rules field={field} />
            </Td>
            <Td className="text-right whitespace-nowrap">
              <span className="-my-1.5 inline-flex gap-1">
                {field.before && isChanged(field) && (
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`Take the change of ${field.name} back`}
                    title="Take the change back"
                    onClick={() => onReset(at)}
                  >
                    <RotateCcwIcon aria-hidden />
                  </Button>
                )}
                {!field.isRemoved && (
                  <>
                    <Button
                      size="sm"
                      variant="ghost"
                      aria-label={`Edit ${field.name}`}
                      onClick={() => onEdit(at)}
                    >
                      Edit
                    </Button>
                    {keys.includes(field.name) ? (
                      <span className="w-8.5" />
                    ) : (
                      <Button
                        size="sm"
                        variant="ghost"
                        aria-label={`Remove ${field.name}`}
                        title="Remove"
                        onClick={() => onRemove(at)}
                      >
                        <Trash2Icon aria-hidden />
                      </Button>
                    )}
                  </>
                )}
              </span>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** As a badge, but in several lines where there is little room. */
const RULE =
  'max-w-full rounded border bg-card px-1.5 text-xs leading-4.5 wrap-anywhere text-muted-foreground'

const Rules = ({ field }: { field: FieldDraft }) => (
  <span className="flex flex-wrap gap-1">
    {rulesOf(field).map((rule) => (
      <span key={rule} className={RULE}>
        {rule}
      </span>
    ))}
  </span>
)

function Mark({ field }: { field: FieldDraft }) {
  if (!isChanged(field)) return null
  const word = field.before === null ? 'new' : field.isRemoved ? 'removed' : 'changed'
  return <Badge className="ml-2 no-underline">{word}</Badge>
}

const LIMIT_WORDS = { minLength: 'at least', maxLength: 'at most', min: 'from', max: 'to' } as const

function rulesOf(field: FieldDraft): string[] {
  const { flags, limits, choices, entity, display } = field
  return [
    ...FLAGS.filter((flag) => flags[flag]),
    ...LIMITS.filter((limit) => limits[limit] !== '').map((limit) => {
      const unit = limit.endsWith('Length') ? ' characters' : ''
      return `${LIMIT_WORDS[limit]} ${limits[limit]}${unit}`
    }),
    ...(choices.length > 0 ? [choicesText(choices)] : []),
    ...(field.default === '' ? [] : [`default ${field.default}`]),
    ...(entity === '' ? [] : [`refers to ${entity}`]),
    ...(display.unit === '' ? [] : [`in ${display.unit}`]),
    ...(display.isHidden ? ['hidden in lists'] : []),
  ]
}

const SHOWN_CHOICES = 5

function choicesText(choices: readonly string[]): string {
  const shown = choices.slice(0, SHOWN_CHOICES).join(', ')
  const more = choices.length - SHOWN_CHOICES
  return `one of ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
