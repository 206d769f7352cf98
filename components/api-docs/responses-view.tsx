import { Status, type Tone } from '@/components/ui/status'
import type { ApiDocument, ResponseObject } from './document'
import type { Operation } from './operations'
import { Inline } from './rich-text'
import { Disclosure, SchemaView } from './schema-view'

type Props = { document: ApiDocument; operation: Operation }

/** Every response by status, with its headers and schema. */
export const ResponsesView = ({ document, operation }: Props) => (
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

function toneOf(status: string): Tone {
  if (status.startsWith('2')) return 'success'
  if (status.startsWith('3')) return 'neutral'
  return status.startsWith('4') ? 'warning' : 'destructive'
}

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
