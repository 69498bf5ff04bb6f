const WHITE = { red: 1, green: 1, blue: 1 }

/** Default format of a cell. */
export const DEFAULT_FORMAT = {
  backgroundColor: WHITE,
  padding: { top: 2, right: 3, bottom: 2, left: 3 },
  verticalAlignment: 'BOTTOM',
  wrapStrategy: 'OVERFLOW_CELL',
  textFormat: {
    foregroundColor: {},
    fontFamily: 'arial,sans,sans-serif',
    fontSize: 10,
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    foregroundColorStyle: { rgbColor: {} },
  },
  backgroundColorStyle: { rgbColor: WHITE },
}

/** Default theme of a spreadsheet, as the service returns it. */
export const DEFAULT_THEME = {
  primaryFontFamily: 'Arial',
  themeColors: [
    { colorType: 'TEXT', color: { rgbColor: {} } },
    { colorType: 'BACKGROUND', color: { rgbColor: WHITE } },
    { colorType: 'ACCENT1', color: { rgbColor: { red: 0.25882354, green: 0.52156866, blue: 0.95686275 } } },
    { colorType: 'ACCENT2', color: { rgbColor: { red: 0.91764706, green: 0.2627451, blue: 0.20784314 } } },
    { colorType: 'ACCENT3', color: { rgbColor: { red: 0.9843137, green: 0.7372549, blue: 0.015686275 } } },
    { colorType: 'ACCENT4', color: { rgbColor: { red: 0.20392157, green: 0.65882355, blue: 0.3254902 } } },
    { colorType: 'ACCENT5', color: { rgbColor: { red: 1, green: 0.42745098, blue: 0.003921569 } } },
    { colorType: 'ACCENT6', color: { rgbColor: { red: 0.27450982, green: 0.7411765, blue: 0.7764706 } } },
    { colorType: 'LINK', color: { rgbColor: { red: 0.06666667, green: 0.33333334, blue: 0.8 } } },
  ],
}
