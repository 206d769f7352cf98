import { ExternalLinkIcon, ImageIcon } from 'lucide-react'
import ReactMarkdown, { type MarkdownToJSX } from 'markdown-to-jsx/react'
import type { ComponentProps, ReactNode } from 'react'

/**
 * A text in Markdown as it is meant. HTML in it is shown as text; links leave no trace of this page; an
 * image is a link, as loading it would tell a stranger's server who reads the record.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className="grid gap-2 text-sm leading-6 break-words [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5">
      <ReactMarkdown options={OPTIONS}>{text}</ReactMarkdown>
    </div>
  )
}

type Children = { children?: ReactNode }

/** A heading of the text is none of the page: it names a part of a value. */
const Heading = ({ children }: Children) => (
  <p className="font-semibold not-first:mt-2">{children}</p>
)

const Link = ({ href, children }: { href?: string; children?: ReactNode }) => {
  // An empty address is what is left of one that runs a script.
  if (!href) return <span>{children}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className="text-primary underline underline-offset-2"
    >
      {children}
      <ExternalLinkIcon aria-hidden className="ml-1 inline size-3" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

const Table = (props: ComponentProps<'table'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section tabIndex={0} aria-label="Table" className="overflow-x-auto">
    <table className="border-collapse text-[13px] [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:px-2 [&_th]:py-1 [&_th]:text-left">
      {props.children}
    </table>
  </section>
)

const COMPONENTS: MarkdownToJSX.Overrides = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: Link,
  img: ({ src, alt }: ComponentProps<'img'>) => (
    <Link href={typeof src === 'string' ? src : undefined}>
      <ImageIcon aria-hidden className="mr-1 inline size-3.5" />
      {alt || 'Image'}
    </Link>
  ),
  table: Table,
  blockquote: ({ children }: Children) => (
    <blockquote className="border-l-2 pl-3 text-muted-foreground">{children}</blockquote>
  ),
  pre: ({ children }: Children) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto rounded-lg border bg-muted/50 p-3 text-xs">
      {children}
    </pre>
  ),
  code: ({ children }: Children) => (
    <code className="rounded bg-muted px-1 font-mono text-[0.9em]">{children}</code>
  ),
  hr: () => <hr className="my-1" />,
  // The name is in the text beside it; it says what is done and can't be changed here.
  input: ({ checked }: ComponentProps<'input'>) => (
    <span>
      <span aria-hidden>{checked ? '☑' : '☐'}</span>
      <span className="sr-only">{checked ? 'Done: ' : 'To do: '}</span>
    </span>
  ),
}

const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: COMPONENTS,
  wrapper: null,
}
