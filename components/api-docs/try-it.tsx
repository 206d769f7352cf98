import { useMutation } from '@tanstack/react-query'
import { PlayIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { FormField } from '@/components/ui/form-field'
import { Input, Textarea } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { formatDuration } from '@/components/ui/number'
import { Status } from '@/components/ui/status'
import { messageOf } from '@/lib/errors'
import type { ApiDocument } from './document'
import type { Operation } from './operations'
import { toneOf } from './status-tone'
import { type Answer, firstTrial, missingNames, nameIn, sendTrial, triedParameters } from './trial'

type Props = { document: ApiDocument; operation: Operation }

/** Puts a request together and sends it with the rights of the session; opened first, since it does what it says. */
export function TryIt(props: Props) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <TrialForm {...props} />
  return (
    <Button size="sm" onClick={() => setOpen(true)}>
      <PlayIcon aria-hidden /> Try it
    </Button>
  )
}

function TrialForm({ document, operation }: Props) {
  const [trial, setTrial] = useState(() => firstTrial(document, operation))
  const sending = useMutation({ mutationFn: () => sendTrial(operation, trial) })
  const [isAsked, setAsked] = useState(false)
  const parameters = triedParameters(operation)
  const missing = missingNames(operation, trial)
  const setText = (name: string, text: string) =>
    setTrial({ ...trial, texts: { ...trial.texts, [name]: text } })
  return (
    <form
      aria-label="Try it"
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border bg-card p-3"
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (missing.length === 0) sending.mutate()
        else focusOn(event.currentTarget, missing[0])
      }}
    >
      <p className="text-[13px] text-muted-foreground">
        {operation.method === 'get'
          ? 'Sent with your own rights.'
          : 'Sent with your own rights: what it changes stays changed.'}
      </p>
      {parameters.map((parameter) => (
        <FormField
          key={nameIn(parameter)}
          label={parameter.name}
          required={parameter.required}
          error={isAsked && missing.includes(nameIn(parameter)) ? 'Enter a value' : null}
        >
          <Input
            name={nameIn(parameter)}
            value={trial.texts[nameIn(parameter)] ?? ''}
            onChange={({ target }) => setText(nameIn(parameter), target.value)}
          />
        </FormField>
      ))}
      {trial.body !== null && (
        <FormField label="Body">
          <Textarea
            code
            rows={Math.min(16, Math.max(4, trial.body.split('\n').length))}
            value={trial.body}
            onChange={({ target }) => setTrial({ ...trial, body: target.value })}
          />
        </FormField>
      )}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={sending.isPending}
      >
        Send
      </Button>
      <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {sending.error && <Notice tone="warning">{messageOf(sending.error)}</Notice>}
        {sending.data && <AnswerView answer={sending.data} />}
      </div>
    </form>
  )
}

function focusOn(form: HTMLFormElement, name: string | undefined): void {
  const control = form.elements.namedItem(name ?? '')
  if (control instanceof HTMLElement) control.focus()
}

function AnswerView({ answer: { status, ms, body, isCut } }: { answer: Answer }) {
  return (
    <>
      <p className="flex items-center gap-2 text-[13px]">
        <Status tone={toneOf(String(status))}>{status}</Status>
        <span className="text-muted-foreground">in {formatDuration(Math.round(ms))}</span>
      </p>
      {body && <CodeBlock label="the response" code={body} />}
      {isCut && <p className="text-xs text-muted-foreground">The rest is not shown.</p>}
    </>
  )
}
