import { ChevronRightIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/status'
import type { ApiDocument, SchemaLike } from './document'
import { Inline } from './rich-text'
import { flatten, type Inside, insideOf, rulesOf, typeText } from './schema'

type Props = { document: ApiDocument; schema: SchemaLike | undefined }

/** The type of a schema in a line, and below it all that it holds. */
export function SchemaView({ document, schema }: Props) {
  const inside = insideOf(document, schema)
  return (
    <div className="grid gap-2">
      <p className="font-mono text-xs text-muted-foreground">{typeText(document, schema)}</p>
      {inside && <InsideView document={document} inside={inside} />}
    </div>
  )
}

function InsideView({ document, inside }: { document: ApiDocument; inside: Inside }) {
  if (inside.kind === 'forms')
    return (
      <ul className="grid gap-2">
        {inside.forms.map((form, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: forms have no names and keep their order
          <li key={index} className="border-l pl-3">
            <p className="text-xs text-muted-foreground">Form {index + 1}</p>
            <SchemaView document={document} schema={form} />
          </li>
        ))}
      </ul>
    )
  const { fields, others } = inside
  return (
    <ul className="divide-y border-y">
      {fields.map(({ name, schema, required }) => (
        <FieldRow key={name} document={document} name={name} schema={schema} required={required} />
      ))}
      {others === true && (
        <li className="py-2 text-[13px] text-muted-foreground">and any other field</li>
      )}
    </ul>
  )
}

type FieldProps = Props & {
  name: string
  required?: boolean
  /** In place of the schema's description. */
  description?: string
}

/** A field or a parameter: name, type, rules, what it is for, and what is in it on demand. */
export function FieldRow({ document, name, schema, required = false, description }: FieldProps) {
  const flat = flatten(document, schema)
  const text = description ?? flat.description
  const rules = rulesOf(flat)
  const inside = insideOf(document, schema)
  return (
    <li className="grid gap-1 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono text-[13px] font-medium break-all">{name}</code>
        <span className="min-w-0 font-mono text-xs break-words text-muted-foreground">
          {typeText(document, schema)}
        </span>
        {required && <span className="text-xs text-warning">required</span>}
      </p>
      {text && (
        <p className="text-[13px] text-muted-foreground">
          <Inline text={text} />
        </p>
      )}
      {rules.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {rules.map((rule) => (
            <Badge key={rule}>
              <span className="truncate">{rule}</span>
            </Badge>
          ))}
        </p>
      )}
      {inside && (
        <Disclosure label={`Fields of ${name}`}>
          <InsideView document={document} inside={inside} />
        </Disclosure>
      )}
    </li>
  )
}

/** What is closed is not rendered: schemas may contain themselves. */
export function Disclosure({ label, children }: { label: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 items-center gap-1 rounded text-xs text-muted-foreground hover:text-foreground"
      >
        <ChevronRightIcon
          aria-hidden
          className={cn('size-3.5 transition-transform', open && 'rotate-90')}
        />
        {label}
      </button>
      {open && <div className="mt-1 ml-1.5 border-l pl-3">{children}</div>}
    </div>
  )
}
