//! Lines of many languages, and what they define.

use super::*;

fn check(text: &str, expected: &[&str]) {
    assert_eq!(defined_names(text).collect::<Vec<_>>(), expected, "{text:?}");
}

#[test]
fn keywords_name_types_and_functions() {
    check("fn level() {}", &["level"]);
    check("pub(crate) async unsafe fn level<T>(", &["level"]);
    check("pub struct Tide<'a> {\n    pub level: u32,\n}", &["Tide", "level"]);
    check("pub enum Phase { New }", &["Phase"]);
    check("impl<T: Into<u32>> From<T> for Tide<T> {", &["Tide"]);
    check("impl<'a> Level for &'a mut tide::Tide<'_> {", &["Tide"]);
    check("impl Level for [u8] {", &["Level"]);
    check("namespace Harbour.Tides {", &["Harbour.Tides"]);
    check("macro_rules! tide {", &["tide"]);
    check("pub(super) mod gauge;", &["gauge"]);
    check("class Gauge(Base):\n    def level(self):\n        pass", &["Gauge", "level"]);
    check("async def read_all(a, b):", &["read_all"]);
    check("func (g *Gauge) Level(phase int) int {", &["Level"]);
    check("func Level[T any](a T) {", &["Level"]);
    check("type Gauge struct {\n\tlevel int\n}", &["Gauge"]);
    check("type Celsius float64", &["Celsius"]);
    check("export default class Gauge extends Base {", &["Gauge"]);
    check("export async function* readAll() {", &["readAll"]);
    check("interface Gauge<T> {", &["Gauge"]);
    check("declare namespace Tides {", &["Tides"]);
    check("data class Gauge(val a: Int)", &["Gauge"]);
    check("fun String.toGauge(): Gauge {", &["toGauge"]);
    check("case class Gauge(a: Int) extends Base", &["Gauge"]);
    check("def self.level?(a)\n  a\nend", &["level?"]);
    check("enum class Phase : int {", &["Phase"]);
    check("class TIDE_API Gauge : public Base {", &["Gauge"]);
    check("local function M.level(a)", &["level"]);
    check("Public Function Level0(phase As Integer) As Integer", &["Level0"]);
    check("CREATE OR REPLACE FUNCTION tide.level(phase int) RETURNS int AS $$", &["level"]);
    check("create table if not exists \"gauges\" (", &["gauges"]);
    check("(defun read-gauge (phase)", &["read-gauge"]);
    check("sub level {", &["level"]);
    check("message Gauge {\n  string name = 1;\n}", &["Gauge", "name"]);
}

#[test]
fn types_before_a_name_make_a_function() {
    check("static int level(int phase)\n{", &["level"]);
    check("static int\nlevel (int phase)\n{", &["level"]);
    check("    public async Task<Map<int, int>> ReadGauge(int id, CancellationToken token)", &["ReadGauge"]);
    check("void Gauge::read(const char *name) const {", &["read"]);
    check("Gauge::~Gauge() {", &["~Gauge"]);
    check("struct gauge *find_gauge(const char *name)\n{", &["find_gauge"]);
    check("    int level(int phase);", &["level"]);
    check("int level(int phase);", &[]);
    check("    level(phase) {", &["level"]);
    check("    constructor(private a: A) {", &["constructor"]);
    check("    level(phase: number): number {", &["level"]);
    check("    static fromName(name) {", &["fromName"]);
    check("level() {\n  echo 1\n}", &["level"]);
    check("  public <T extends Base> T level(Class<T> kind) throws Bad {", &["level"]);
    check("@Override public void level() {", &["level"]);
}

#[test]
fn values_are_fields_and_constants() {
    check("const LEVEL: u32 = 3;", &["LEVEL"]);
    check("pub static mut LEVEL: u32 = 3;", &["LEVEL"]);
    check("export const level = (a, b) => a + b;", &["level"]);
    check("const char *names[] = {", &[]);
    check("Gauge.prototype.level = function (a) {", &["level"]);
    check("exports.level = async (a) => {", &["level"]);
    check("  level: function () {", &["level"]);
    check("MAX_LEVEL = 7", &["MAX_LEVEL"]);
    check("level <- function(a) {", &["level"]);
    check("    private final Map<A, B> levels = new HashMap<>();", &["levels"]);
    check("    public string Name { get; set; }", &["Name"]);
    check("#define LEVEL 3", &["LEVEL"]);
    check("typedef unsigned int level_t;", &["level_t"]);
    check("typedef struct {\n  int a;\n} level_t;", &["level_t"]);
    check("class Gauge {\n  int level_;\n  return a;\n};", &["Gauge", "level_"]);
    check("type (\n\tGauge struct{ Level int }\n)", &["Gauge"]);
    check("using Level = std::map<int, int>;", &["Level"]);
    check("type Level = number | string;", &["Level"]);
    check("  readonly level?: number;", &["level"]);
    check("let rec level a b =", &["level"]);
}

#[test]
fn what_only_looks_like_a_definition_is_none() {
    for text in [
        "    level(phase);",
        "    return level(phase) {",
        "    if (level) {",
        "    } else if (level(a)) {",
        "    foreach (var a in level(b)) {",
        "    let level = 3;",
        "    x = level(\n        a)",
        "    await level(a)",
        "describe('level', () => {",
        "app.get(\"/level\", (a) => {",
        "// fn level() {}",
        "/* The\n   class Level is\n   struct Level { */",
        "x = \"\"\"\nclass Level:\n\"\"\"",
        "using System.Text;",
        "struct gauge g = {",
        "import { level } from './level'",
        "level == 3",
        "        Tide::level(phase);",
        "    Tide::Level(phase) => {",
        "The class of all levels is here",
    ] {
        check(text, &[]);
    }
    check(
        "fn level() {\n    let a = 1;\n    Type b(2);\n    fn inner() {}\n}\nfn other() {}",
        &["level", "inner", "other"],
    );
}
