import { LinkIcon, LockKeyholeIcon, LockKeyholeOpenIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Status } from '@/components/ui/status'
import { baseOf, curlOf } from './curl'
import type { ApiDocument, Parameter, ResponseObject } from './document'
import { MethodName } from './method-name'
import { isOpen, type Operation } from './operations'
import { Inline, RichText } from './rich-text'
import { responseSample } from './sample'
import { Disclosure, FieldRow, SchemaView } from './schema-view'
import { toneOf } from './status-tone'
import { canTry } from './trial'
import { TryIt } from './try-it'

type Props = { document: ApiDocument; operation: Operation }
type ViewProps = Props & { signedIn: boolean }

/** One operation, with a working command line and its response; who is signed in can send it. */
export const OperationView = ({ document, operation, signedIn }: ViewProps) => (
  <article
    aria-labelledby="operation"
    className="grid min-w-0 content-start gap-x-8 gap-y-5 min-[1400px]:grid-cols-[minmax(0,1fr)_25rem]"
  >
    <Head operation={operation} />
    <div className="grid min-w-0 content-start gap-4 min-[1400px]:col-start-2 min-[1400px]:row-span-2 min-[1400px]:row-start-1">
      {signedIn && canTry(operation) && <TryIt document={document} operation={operation} />}
      <Examples document={document} operation={operation} />
    </div>
    <div className="grid min-w-0 content-start gap-5">
      <Parameters document={document} operation={operation} />
      <Body document={document} operation={operation} />
      <Part title="Responses">
        <ResponsesView document={document} operation={operation} />
      </Part>
    </div>
  </article>
)

function Head({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, deprecated } = operation
  return (
    <header className="grid min-w-0 content-start gap-2">
      <div className="flex items-start gap-2">
        <h2
          id="operation"
          tabIndex={-1}
          className="min-w-0 text-base font-semibold tracking-tight outline-none"
        >
          {summary}
        </h2>
        <CopyButton
          text={`${window.location.origin}/api-docs#${encodeURIComponent(id)}`}
          label="Copy the link to this operation"
          icon={LinkIcon}
          className="-mt-0.5"
        />
      </div>
      <p className="flex min-w-0 items-baseline gap-2">
        <MethodName method={method} />
        <code className="min-w-0 font-mono text-[13px] break-all">{path}</code>
      </p>
      {deprecated && <Notice tone="warning">Deprecated. Do not use it in new code.</Notice>}
      {description && <RichText text={description} className="max-w-prose" />}
      <AccessLine operation={operation} />
    </header>
  )
}

function AccessLine({ operation }: { operation: Operation }) {
  const open = isOpen(operation)
  const Icon = open ? LockKeyholeOpenIcon : LockKeyholeIcon
  return (
    <p className="flex items-center gap-1.5 text-[13px] text-muted-foreground">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {open ? (
        'Public'
      ) : (
        <a href="#authentication" className="underline">
          Requires a credential
        </a>
      )}
    </p>
  )
}

const PLACES: { in: Parameter['in']; title: string }[] = [
  { in: 'path', title: 'Path parameters' },
  { in: 'query', title: 'Query parameters' },
  { in: 'header', title: 'Headers' },
]

const Parameters = ({ document, operation }: Props) =>
  PLACES.map(({ in: place, title }) => {
    const there = operation.parameters.filter((each) => each.in === place)
    if (there.length === 0) return null
    return (
      <Part key={place} title={title}>
        <ul className="divide-y border-y">
          {there.map((each) => (
            <FieldRow
              key={each.name}
              document={document}
              name={each.name}
              schema={each.schema}
              required={each.required}
              description={each.description}
            />
          ))}
        </ul>
      </Part>
    )
  })

function Body({ document, operation: { body } }: Props) {
  if (!body) return null
  return (
    <Part title="Body">
      {body.description && (
        <p className="mb-2 text-[13px] text-muted-foreground">
          <Inline text={body.description} />
        </p>
      )}
      {Object.entries(body.content ?? {}).map(([mediaType, { schema }]) => (
        <div key={mediaType} className="grid gap-1">
          <p className="font-mono text-xs">{mediaType}</p>
          <SchemaView document={document} schema={schema} />
        </div>
      ))}
    </Part>
  )
}

function Examples({ document, operation }: Props) {
  const good = operation.responses.find(({ status }) => status.startsWith('2'))
  const json = good?.response.content?.['application/json']
  return (
    <>
      <Part title="Request">
        <CodeBlock
          whole
          label="curl"
          code={curlOf(document, operation, baseOf(document, window.location.origin))}
        />
      </Part>
      {json && (
        <Part title={`Response ${good.status}`}>
          <CodeBlock
            label="example response"
            code={JSON.stringify(responseSample(document, json, good.status), null, 2)}
          />
        </Part>
      )}
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="mb-1.5 text-[13px] font-medium">{title}</h3>
    {children}
  </section>
)

type ResponsesViewProps = { document: ApiDocument; operation: Operation }

/** Every response by status, with its headers and schema. */
const ResponsesView = ({ document, operation }: ResponsesViewProps) => (
  <ul className="divide-y border-y">
    {operation.responses.map(({ status, response }) => (
      <li key={status} className="grid gap-1 py-2">
        <p className="flex items-baseline gap-2">
          <Status tone={toneOf(status)}>{status}</Status>
          <span className="min-w-0 text-[13px] text-muted-foreground">
            <Inline text={response.description ?? ''} />
          </span>
        </p>
        <ResponseContent document={document} response={response} status={status} />
      </li>
    ))}
  </ul>
)

type ContentProps = { document: ApiDocument; response: ResponseObject; status: string }

function ResponseContent({ document, response, status }: ContentProps) {
  const headers = Object.keys(response.headers ?? {}).join(', ')
  return (
    <>
      {headers && (
        <p className="text-xs text-muted-foreground">
          Headers <span className="font-mono">{headers}</span>
        </p>
      )}
      {Object.entries(response.content ?? {}).map(([mediaType, { schema }]) => (
        <Disclosure
          key={mediaType}
          label={
            <>
              <span className="font-mono">{mediaType}</span>
              <span className="sr-only"> of {status}</span>
            </>
          }
        >
          <SchemaView document={document} schema={schema} />
        </Disclosure>
      ))}
    </>
  )
}
