import { BracesIcon, CircleAlertIcon, ListIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Textarea } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { TagInput } from '@/components/ui/tag-input'
import { isAnyJsonKind, isListKind, type Kind } from '@/lib/kinds/kind'
import { FieldGroup } from './field-group'
import { type List, listOf, listText, wrongItems } from './json-list'
import { pairsOf } from './json-pairs'
import { PairsEditor } from './pairs-editor'

type Props = {
  kind: Kind
  label: string
  /** On hover over the label. */
  title: string
  required: boolean
  hint?: ReactNode
  note?: string
  error?: string
  /** JSON text. */
  value: string
  onChange: (json: string) => void
}

type Mode = 'pairs' | 'list' | 'json'

/** How a JSON text can be edited without losing anything. */
function modeOf(kind: Kind, json: string): Mode {
  const mayBeList = isListKind(kind) || (isAnyJsonKind(kind) && json.trim() !== '')
  if (mayBeList && listOf(json)) return 'list'
  return !isListKind(kind) && pairsOf(json) ? 'pairs' : 'json'
}

type State = { mode: Mode; json: string; version: number }

/** An object as pairs of key and value, a list as tags, and anything else as JSON. */
export function NestedField(props: Props) {
  const { kind, value } = props
  const [state, setState] = useState<State>(() => ({
    mode: modeOf(kind, value),
    json: value,
    version: 0,
  }))
  const show = (mode: Mode) => setState({ mode, json: value, version: state.version + 1 })
  // A value from elsewhere, such as a draft: an editor of its own shows it.
  if (value !== state.json) show(modeOf(kind, value))
  const onChange = (json: string) => {
    setState({ ...state, json })
    props.onChange(json)
  }
  const { mode, version } = state
  const other = mode === 'json' ? modeOf(kind, value) : 'json'
  const toggle = other !== mode && (
    <Button size="sm" variant="ghost" className="-my-1 h-6" onClick={() => show(other)}>
      {other === 'json' ? <BracesIcon aria-hidden /> : <ListIcon aria-hidden />}
      {WORDS[other]}
    </Button>
  )
  if (mode === 'json') return <JsonText {...props} onChange={onChange} toggle={toggle} />
  const Editor = mode === 'pairs' ? PairsEditor : ListEditor
  return (
    <FieldGroup {...props} toggle={toggle}>
      <Editor key={version} label={props.label} value={value} onChange={onChange} />
    </FieldGroup>
  )
}

const WORDS: Record<Mode, string> = {
  json: 'Edit as JSON',
  pairs: 'Edit as keys and values',
  list: 'Edit as a list',
}

function JsonText({ toggle, ...props }: Props & { toggle: ReactNode }) {
  const { label, title, required, hint, note, error, value, onChange } = props
  return (
    <div className="relative">
      <FormField
        label={<span title={title}>{label}</span>}
        required={required}
        hint={hint}
        note={note}
        error={error}
      >
        <Textarea code rows={6} value={value} onChange={(event) => onChange(event.target.value)} />
      </FormField>
      <span className="absolute top-0 right-0">{toggle}</span>
    </div>
  )
}

type ListEditorProps = { label: string; value: string; onChange: (json: string) => void }

const KINDS = [
  { value: 'text', label: 'Texts' },
  { value: 'number', label: 'Numbers' },
] as const
const EMPTY: List = { kind: 'text', items: [] }

/** A list of texts or numbers as tags. `value` is its JSON text, read once. */
function ListEditor({ label, value, onChange }: ListEditorProps) {
  const faultId = useId()
  const [list, setList] = useState(() => listOf(value) ?? EMPTY)
  const wrong = wrongItems(list)
  const change = (next: List) => {
    // A list that was never there is not made by a look at it.
    setList(next)
    onChange(value.trim() === '' && next.items.length === 0 ? value : listText(next))
  }
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-start gap-1.5">
        <TagInput
          aria-label={label}
          aria-describedby={wrong.length > 0 ? faultId : undefined}
          invalid={wrong.length > 0}
          placeholder={list.kind === 'number' ? 'Number, then Enter' : 'Text, then Enter'}
          value={list.items}
          onValueChange={(items) => change({ ...list, items })}
          className="min-w-40 flex-1"
        />
        <Segmented
          aria-label={`Kind of ${label}`}
          value={list.kind}
          onValueChange={(kind) => change({ ...list, kind })}
          options={KINDS}
        />
      </div>
      {wrong.length > 0 && (
        <p id={faultId} className="flex items-start gap-1.5 text-xs text-destructive">
          <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
          {`No number: ${wrong.join(', ')}`}
        </p>
      )}
    </div>
  )
}
