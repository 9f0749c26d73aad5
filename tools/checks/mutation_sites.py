"""mutation_sites: where C code can be changed as a programmer's fault would change it.

Only bodies of functions are changed. Comments, strings, preprocessor lines, declarators,
assertions, sizes, and arguments of calls that have a text among them stay as they are. A change
leaves the number of lines of the file as it is."""
import collections
import hashlib
import re

# A change: text[begin:end] becomes `text`. `kind` is the name of the operator.
Site = collections.namedtuple('Site', 'kind begin end text')
Token = collections.namedtuple('Token', 'text at')

TOKEN = re.compile(r'"[^"]*"|\'[^\']*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|<<=|>>=|\.\.\.'
                   r'|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|\S')
WORD = re.compile(r'[A-Za-z_]\w*$')
OPERAND = re.compile(r'[\w)\]]+$')
INTEGER = re.compile(r'(0[xX][\da-fA-F]+|\d+)([uUlL]*)$')
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
RELATIONS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
LOGIC = {'&&': '||', '||': '&&'}
SUMS = {'+': '-', '-': '+', '+=': '-=', '-=': '+='}
ORDERS = {f'memory_order_{order}' for order in ('acquire', 'release', 'acq_rel', 'seq_cst')}
HEADERS = {'if', 'while', 'for', 'switch'}
NOT_CALLED = HEADERS | {'return', 'sizeof'}
NOT_DELETED = {'return', 'goto', 'break', 'continue', 'case', 'default'}
# What is in the parentheses behind these words stays as it is.
KEPT = {'assert', '_Static_assert', 'sizeof', 'offsetof', '_Alignas', '_Alignof', '__attribute__',
        'ENTER', 'MPIR_SAVE', 'MPIR_SAVE_SIX', 'MPIR_SAVED_SIX', 'OS_OWNER', '__builtin_prefetch'}
DECLARATION = re.compile(
    r'(?:static|const|volatile|_Atomic|_Alignas|register|unsigned|signed|struct|union|enum)\b'
    r'|(?!(?:return|goto|sizeof|else)\b)[A-Za-z_]\w*(?:\s+\**|\s*\*+\s*)(?:const\s+)?'
    r'[A-Za-z_]\w*\s*[=;,\[]')
# x < y ? x : y
SMALLER = re.compile(
    r'(?<![\w.>])([\w.>\[\]-]+)(\s+)([<>])(\s+)([\w.>\[\]-]+)\s+\?\s+'
    r'(?:\1\s+:\s+\5|\5\s+:\s+\1)(?![\w.\[(-])')
VARIABLE = re.compile(r'(?!(?:true|false|NULL)$)(?:[A-Za-z_]\w*(?:->|\.))*[A-Za-z_]\w*$')
DELETED = '(void) 0;'   # not an empty statement, of which compilers warn


def blank(text):
    """C text with spaces for comments, preprocessor lines, and what is in quotes."""
    def spaces(m):
        found = re.sub(r'[^\n]', ' ', m.group())
        quote = m.group()[0]
        return quote + found[1:-1] + quote if quote in '"\'' else found
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', spaces, text,
                  flags=re.S)
    return re.sub(r'^[ \t]*#(?:\\\n|[^\n])*', spaces, text, flags=re.M)


def partners(tokens):
    """{index of a bracket: index of its partner}, both ways."""
    pairs, opened = {}, []
    for i, token in enumerate(tokens):
        if token.text in ('(', '[', '{'):
            opened.append(i)
        elif token.text in (')', ']', '}') and opened:
            pairs[i] = opened.pop()
            pairs[pairs[i]] = i
    return pairs


class Code:
    """The tokens of a file, and what of them belongs to statements."""

    def __init__(self, text):
        self.text = blank(text)
        self.tokens = [Token(m.group(), m.start()) for m in TOKEN.finditer(self.text)]
        self.partner = partners(self.tokens)
        self.kept = self.find_kept()

    def word(self, i):
        """The text of token i; '' outside."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ''

    def end(self, i):
        """The offset behind token i."""
        return self.tokens[i].at + len(self.tokens[i].text)

    def source(self, first, last):
        """The text of the tokens first to last."""
        return self.text[self.tokens[first].at:self.end(last)]

    def arguments(self, opening):
        """[(first, last)]: the tokens of each argument in parentheses."""
        found, first, i = [], opening + 1, opening + 1
        while i <= self.partner[opening]:
            if self.word(i) in ('(', '[', '{'):
                i = self.partner[i]
            elif self.word(i) == ',' or i == self.partner[opening]:
                found.append((first, i - 1))
                first = i + 1
            i += 1
        return found if found[0][1] >= found[0][0] else []

    def find_kept(self):
        """The indices of tokens that stay as they are, wherever they are."""
        kept = set()
        for i, token in enumerate(self.tokens):
            if self.word(i + 1) != '(' or not WORD.match(token.text) or i + 1 not in self.partner:
                continue
            arguments = self.arguments(i + 1)
            texts = any(self.word(j)[0] == '"' for first, last in arguments for j in (first, last))
            if token.text in KEPT or texts and token.text not in HEADERS:
                kept.update(range(i + 2, self.partner[i + 1]))
            elif token.text == '__builtin_expect' and arguments:
                kept.update(range(arguments[-1][0], self.partner[i + 1]))
        return kept

    def bodies(self):
        """(first, last) of the braces of each function."""
        i = 0
        while i < len(self.tokens):
            if self.word(i) == '{' and i in self.partner:
                if self.word(i - 1) == ')':
                    yield i, self.partner[i]
                i = self.partner[i]
            elif self.word(i) == '(':
                i = self.partner.get(i, i)
            i += 1

    def statements(self, first, last):
        """(first, last, word) of each statement in these braces: its tokens with the semicolon,
        and None; of each part of a header: the tokens between parentheses and semicolons, and the
        word in front, such as `while`."""
        i = start = first + 1
        while i < last:
            word = self.word(i)
            if word in ('(', '['):
                i = self.partner[i]
                if self.word(start) in HEADERS and self.partner[i] == start + 1:
                    ends = [k for k in range(start + 2, i) if self.word(k) == ';'] + [i]
                    for begin, end in zip([start + 1] + ends, ends):
                        yield begin + 1, end - 1, self.word(start)
                    start = i + 1
            elif word == '{' and i > start:     # a value in braces
                i = self.partner[i]
            elif word == ';':
                yield start, i, None
                start = i + 1
            elif word in ('{', '}') or word in ('else', 'do') and i == start or word == ':' and (
                    self.word(start) in ('case', 'default') or i == start + 1):
                start = i + 1
            i += 1

    def changeable(self, first, last):
        """The indices of a statement's tokens that may change: of a declaration only values."""
        if self.word(first) in ('case', 'goto'):
            return []
        if not self.declares(first, last):
            return [i for i in range(first, last + 1) if i not in self.kept]
        found, value, i = [], False, first
        while i <= last:
            if self.word(i) in ('(', '[', '{'):
                if value:
                    found += range(i, self.partner[i] + 1)
                i = self.partner[i]
            elif self.word(i) in ('=', ',', ';'):
                value = self.word(i) == '='
            elif value:
                found.append(i)
            i += 1
        return [i for i in found if i not in self.kept]

    def declares(self, first, last):
        """Is this statement, or this part of a header, a declaration?"""
        return bool(DECLARATION.match(self.source(first, last)))


# ---- operators: each yields the sites of one statement -------------------------------------------

def tokens_replaced(code, indices):
    """What changes one token into another."""
    for i in indices:
        word, begin, end = code.word(i), code.tokens[i].at, code.end(i)
        binary = OPERAND.match(code.word(i - 1)) and code.word(i - 1) not in ('return', 'case')
        if word in RELATIONS:
            yield Site('relation', begin, end, RELATIONS[word])
        elif word in LOGIC:
            yield Site('logic', begin, end, LOGIC[word])
        elif word in SUMS and binary:
            yield Site('sum', begin, end, SUMS[word])
        elif word in ORDERS:
            yield Site('order', begin, end, 'memory_order_relaxed')
        elif word == '!':
            yield Site('negation', begin, end, '')


def constants(code, indices):
    """Numbers off by one, truth values, and `+ 1` or `- 1` that is missing."""
    for i in indices:
        word, begin, end = code.word(i), code.tokens[i].at, code.end(i)
        number = INTEGER.match(word)
        if word in ('true', 'false'):
            yield Site('constant', begin, end, 'false' if word == 'true' else 'true')
        elif number:
            value = int(number.group(1), 16 if word[:2] in ('0x', '0X') else 10)
            style = '{:#x}' if word[:2] in ('0x', '0X') else '{}'
            for other in {value + 1, value - 1} - {-1}:
                yield Site('constant', begin, end, style.format(other) + number.group(2))
            if value == 1 and code.word(i - 1) in ('+', '-') and OPERAND.match(code.word(i - 2)):
                begin = code.end(i - 2)
                yield Site('by_one', begin, end, '\n' * code.text.count('\n', begin, end))


def extremes(code, first, last):
    """The greater of two instead of the smaller, and the other way round."""
    at = code.tokens[first].at
    for m in SMALLER.finditer(code.source(first, last)):
        other = '<' if m.group(3) == '>' else '>'
        yield Site('extreme', at + m.start(3), at + m.end(3), other)


def swapped(code, indices):
    """Neighboring arguments of a call in each other's place, where both are variables."""
    free = set(indices)
    for i in indices:
        name = code.word(i - 1)
        if code.word(i) != '(' or not WORD.match(name) or name in NOT_CALLED:
            continue
        arguments = code.arguments(i)
        for (a, b), (c, d) in zip(arguments, arguments[1:]):
            one, two = code.source(a, b), code.source(c, d)
            if (free.issuperset(range(a, d + 1)) and VARIABLE.match(one) and VARIABLE.match(two)
                    and one != two and one.isupper() == two.isupper()):
                between = code.text[code.end(b):code.tokens[c].at]
                yield Site('swap', code.tokens[a].at, code.end(d), two + between + one)


def deletions(code, first, last):
    """A call or an assignment that is missing; a loop or a case that is not left."""
    begin, end = code.tokens[first].at, code.end(last)
    words = [token.text for token in code.tokens[first:last + 1]]
    gone = DELETED + '\n' * code.text.count('\n', begin, end)
    if words in (['break', ';'], ['continue', ';']):
        yield Site('leave', begin, end, gone)
    if len(words) < 3 or words[0] in NOT_DELETED | KEPT or code.declares(first, last):
        return
    if any(word[0] == '"' for word in words) or first in code.kept:
        return
    opening = code.partner.get(last - 1, first)
    calls = words[-2] == ')' and opening > first and OPERAND.match(code.word(opening - 1))
    if calls or ASSIGNMENTS & set(words) or words[0] in ('++', '--') or words[-2] in ('++', '--'):
        yield Site('delete', begin, end, gone)


def sites(text):
    """All sites of a file, in the order of the text."""
    code, found = Code(text), []
    for body in code.bodies():
        for first, last, header in code.statements(*body):
            if first > last:
                continue
            indices = code.changeable(first, last)
            for operator in tokens_replaced, constants, swapped:
                found += operator(code, indices)
            found += extremes(code, first, last)
            if header in ('if', 'while'):
                begin, end = code.tokens[first].at, code.end(last)
                found.append(Site('negation', begin, end, f'!({text[begin:end]})'))
            elif not header:
                found += deletions(code, first, last)
    return sorted(set(found), key=lambda s: s[1:] + s[:1])


def apply(text, site):
    """The text with the change."""
    return text[:site.begin] + site.text + text[site.end:]


# ---- the choice ----------------------------------------------------------------------------------

def rank(*parts):
    """A number that looks like chance, the same wherever it is computed."""
    return hashlib.sha256('\0'.join(map(str, parts)).encode()).digest()


def draw(texts, seed):
    """Yields (path, line, site) of all lines that have sites, in an order that depends on the seed
    and `texts`, {path: text}, alone: each line once, with one of the kinds of sites that it has,
    and of that kind one site."""
    lines = collections.defaultdict(list)
    for path, text in texts.items():
        for site in sites(text):
            lines[path, text.count('\n', 0, site.begin) + 1].append(site)
    for path, line in sorted(lines, key=lambda where: rank(seed, *where)):
        def chance(x, where=(path, line)):
            return rank(seed, *where, x)
        kind = min({site.kind for site in lines[path, line]}, key=chance)
        those = [site for site in lines[path, line] if site.kind == kind]
        yield path, line, min(those, key=chance)
