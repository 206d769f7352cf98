/**
 * Why people could take `name` for another one, or null. It has to be in NFC and without characters that nobody sees. Each word is of
 * one script, or of those that are mixed in Japanese, Chinese and Korean; so is the name, but Latin words may stand beside those
 * of a script whose letters look different (`العربية CRM`): less than "moderately restrictive" of UTS 39 allows.
 */
export function nameFault(name: string): string | null {
  if (/[\0\p{Cs}]/u.test(name)) return 'Holds a character that cannot be stored'
  if (/^[\x20-\x7e]*$/.test(name)) return spaceFault(name)
  const composed = name.normalize('NFC')
  if (name !== composed) return `Is not in the Unicode form NFC; write ${JSON.stringify(composed)}`
  if (hasInvisible(name))
    return 'Must not contain line breaks or other characters that are not seen'
  if (hasOtherForms(name))
    return `Has letters or digits in another form; write ${JSON.stringify(name.normalize('NFKC'))}`
  if (mixesScripts(name)) return 'Mixes letters of several scripts, such as Latin and Cyrillic'
  return spaceFault(name)
}

const spaceFault = (name: string) =>
  / {2}|(?! )\p{Zs}/u.test(name)
    ? 'Must not contain several spaces in a row, or other spaces'
    : null

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Some have joiners and variation selectors within. */
const EMOJI = '\\p{RGI_Emoji}'

function hasInvisible(name: string): boolean {
  if (!INVISIBLE.test(name)) return false
  // Made only here: older browsers do not know the flag.
  const emoji = new RegExp(EMOJI, 'gv')
  return INVISIBLE.test(name.replace(emoji, '').replace(JOINERS, ''))
}

/**
 * Where words need them and they show: a non-joiner after a letter that would join, in Persian and its neighbours, and
 * either after the sign that joins consonants, in the scripts of India and Sri Lanka (UAX 31, 2.3); in Malayalam also at the end of a
 * word.
 */
const JOINERS =
  /(?<=(?![آأؤإاةدذرزوىٱ-ٳٵ-ٷڈ-ڙۀۃ-ۋۍۏےۓەۮۯ])\p{Script=Arabic}\p{M}*)\u200c(?=\p{Script=Arabic})|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=\p{L})|(?<=\u0d4d)\u200d/gu

/** Full-width, mathematical and other letters that stand for common ones; not `ª`, `º` and `µ`, which keyboards have. */
const hasOtherForms = (name: string): boolean =>
  [...name].some(
    (char) =>
      /^(?![ªºµ])[\p{L}\p{Nd}\p{Nl}]$/u.test(char) &&
      char !== char.normalize('NFKC') &&
      /^[\p{Script=Latin}\p{Script=Greek}\p{Nd}]+$/u.test(char.normalize('NFKC')),
  )

const COMMON = '\\p{scx=Zyyy}\\p{scx=Zinh}'
const inClass = (scripts: string) => scripts.replace(/\w+/g, '\\p{scx=$&}').replaceAll(' ', '')

/** Those in everyday use (UAX 31, table 5). */
const SCRIPTS =
  'Latn Grek Cyrl Armn Hebr Arab Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Geor Ethi Khmr Thaa Hani Hira Kana Bopo Hang'
const MIXED = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang']
/** Their letters look like Latin ones. */
const LIKE_LATIN = /Latn|Grek|Cyrl|Armn/

const ofScripts = (scripts: readonly string[]) =>
  scripts.map((one) => new RegExp(`^[${inClass(one)}${COMMON}]*$`, 'su'))

const OF_ONE_SCRIPT = [
  ...ofScripts([...MIXED, ...SCRIPTS.split(' ')]),
  new RegExp(`^(?:(?![${inClass(SCRIPTS)}]).|[${COMMON}])*$`, 'su'),
]
const BESIDE_LATIN = ofScripts(
  SCRIPTS.split(' ').flatMap((one) => (LIKE_LATIN.test(one) ? [] : [`Latn ${one}`])),
)

const isOfOneScript = (text: string) => OF_ONE_SCRIPT.some((script) => script.test(text))

const mixesScripts = (name: string): boolean =>
  !isOfOneScript(name) &&
  !(BESIDE_LATIN.some((pair) => pair.test(name)) && wordsOf(name).every(isOfOneScript))

const wordsOf = (name: string) => name.match(/[\p{L}\p{M}\p{N}\p{Cf}]+/gu) ?? []
