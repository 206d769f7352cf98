import type { Template } from '../mail-text'

export type MentionProps = {
  email: string
  /** Email of the author, or the name of the key. */
  by: string
  entity: string
  /** The comment. */
  text: string
  link: string
}

/** Line breaks of a text are none in HTML. */
const linesOf = (text: string) => text.split(/[\r\n]+/).filter((line) => line.trim() !== '')

export const mention: Template<MentionProps> = {
  en: ({ email, by, entity, text, link }) => ({
    subject: `${by} mentioned you in a comment on ${entity}`,
    preview: linesOf(text)[0]?.slice(0, 120) ?? '',
    heading: `${by} mentioned you`,
    paragraphs: [`In a comment on a record of ${entity}:`, ...linesOf(text)],
    action: { label: 'Open the comment', link },
    footer: `You get this mail since a comment on a record of ${entity} mentions ${email}.`,
  }),
  de: ({ email, by, entity, text, link }) => ({
    subject: `${by} hat Sie in einem Kommentar zu ${entity} erwähnt`,
    preview: linesOf(text)[0]?.slice(0, 120) ?? '',
    heading: `${by} hat Sie erwähnt`,
    paragraphs: [`In einem Kommentar zu einem Datensatz von ${entity}:`, ...linesOf(text)],
    action: { label: 'Kommentar öffnen', link },
    footer: `Sie bekommen diese E-Mail, weil ein Kommentar zu einem Datensatz von ${entity} ${email} erwähnt.`,
  }),
}
