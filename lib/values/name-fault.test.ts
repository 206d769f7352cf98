import { describe, expect, test } from 'vitest'
import { nameFault } from './name-fault'

describe('a name that reads as it is', () => {
  test.each([
    ...['Clerk', 'R&D (EU) #1', 'Größe in m²', '5 µm', '1ª linha', 'Éditeur', 'Satış', 'Ærø'],
    ...['Продавец', 'Πωλητής', 'Վաճառող', 'מוכר', 'بائع', 'विक्रेता', 'বিক্রেতা', 'விற்பனையாளர்'],
    ...['ผู้ขายน้ำ', 'ຜູ້ຂາຍນ້ຳ', 'გამყიდველი', 'ሻጭ', 'អ្នកលក់', 'རྒྱ', 'ရောင်းသူ', 'ᏣᎳᎩ', 'ᠮᠣᠩᠭᠣᠯ', '𐎀𐎁'],
    ...[
      '営業部',
      'サーバー管理',
      'SAP 連携プラグイン',
      'ﾃｽﾄ',
      '台灣 CRM ㄅㄆ',
      '销售',
      '영업팀 A',
      '株式会社（東京）',
    ],
    ...[
      'کتاب‌خانه',
      'ශ්‍රී ලංකා',
      'क्‍ष',
      '⭐ Mine',
      '⚠️ Overdue',
      '👨‍👩‍👧 Family',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England',
      '1️⃣ First',
    ],
    ...['العربية CRM', 'CRM ישראל', 'ระบบ SAP (v2)', 'हिन्दी-English', 'ქართული B2B', 'അവന്‍'],
    ...["L'été « à venir » – 50 %", '№ 5', '½ price', '①', 'Müller 東京'],
  ])('%s passes', (name) => expect(nameFault(name)).toBeNull())
})

describe('a name that could be taken for another', () => {
  test.each<[what: string, name: string, fault: RegExp]>([
    ['a line break', 'Open\nones', /not seen/],
    ['a tab', 'Open\tones', /not seen/],
    ['a line separator', 'Open\u2028ones', /not seen/],
    ['a zero-width space', 'ADMIN\u200b', /not seen/],
    ['a joiner in Latin', 'AD\u200dMIN', /not seen/],
    ['a non-joiner where letters do not join', 'مد\u200cیر', /not seen/],
    ['a soft hyphen', 'AD\u00adMIN', /not seen/],
    ['a byte order mark', '\ufeffADMIN', /not seen/],
    ['a change of direction', 'AD\u202eNIM', /not seen/],
    ['a variation selector', 'ADMIN\ufe0f', /not seen/],
    ['tags', 'ADMIN\u{e0041}', /not seen/],
    ['a Hangul filler', 'ADMIN\u3164', /not seen/],
    ['an empty Braille cell', 'ADMIN\u2800', /not seen/],
    ['a character of private use', 'ADMIN\ue000', /not seen/],
    ['full-width letters', 'ＡＤＭＩＮ', /write "ADMIN"/],
    ['mathematical letters', '𝐀𝐃𝐌𝐈𝐍', /write "ADMIN"/],
    ['a Roman numeral', 'ADMⅠN', /write "ADMIN"/],
    ['a ligature', 'oﬃce', /write "office"/],
    ['full-width digits', 'Team １', /write "Team 1"/],
    ['a letter in two characters', 'Cafe\u0301', /NFC; write "Café"/],
    ['a Cyrillic letter among Latin ones', 'АDMIN', /several scripts/],
    ['a Cyrillic word beside a Latin one', 'SALES ТЕАМ', /several scripts/],
    ['a Hebrew letter in a Latin word', 'ADMוN', /several scripts/],
    ['a Malayalam letter in a Latin word', 'Bഠss', /several scripts/],
    ['an Arabic and a Hebrew word', 'بائع מוכר', /several scripts/],
    ['an Arabic and a Hebrew word beside a Latin one', 'بائع CRM מוכר', /several scripts/],
    ['a Greek letter among Latin ones', 'ΑDMIN', /several scripts/],
    ['a Cherokee letter among Latin ones', 'ᎪDMIN', /several scripts/],
    ['Japanese and Korean', '営業팀カ', /several scripts/],
    ['Arabic digits among Cyrillic letters', 'Отдел ٢', /several scripts/],
    ['two spaces in a row', 'SALES  TEAM', /spaces/],
    ['a space that does not break', 'SALES\u00a0TEAM', /spaces/],
    ['an ideographic space', '営業\u3000部', /spaces/],
    ['U+0000', 'a\0', /cannot be stored/],
    ['half of a surrogate pair', 'a\ud800', /cannot be stored/],
  ])('%s is refused', (_, name, fault) => expect(nameFault(name)).toMatch(fault))
})
