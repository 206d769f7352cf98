import { Fragment } from 'react'

/** Text of the document: blank lines part paragraphs, backticks hold code. */
export const RichText = ({ text, className }: { text: string; className?: string }) => (
  <div className={className}>
    {text.split(/\n\s*\n/).map((paragraph, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
      <p key={index} className="not-first:mt-2">
        <Inline text={paragraph} />
      </p>
    ))}
  </div>
)

export const Inline = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
      <code key={index} className="rounded bg-muted px-1 py-px font-mono text-[0.9em] break-words">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
      <Fragment key={index}>{part}</Fragment>
    ),
  )
