//! A contract in a file, for a function in an object file that is no kernel of this library.
//!
//! What [`Contract`] and [`Kernel`] say in Rust is said in TOML, with the same names; `docs/objects.md` has an example. Kernels
//! hold references for the life of the program, so a contract that was read is never freed.

use std::boxed::Box;
use std::collections::{BTreeMap, BTreeSet};
use std::format;
use std::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

use serde::Deserialize;
use toml::Spanned;

use crate::{
    Access, Architecture, Argument, ArgumentKind, Clears, Contract, ContractError, Feature, Kernel, Overlap, Returns,
    ScalarType, Secrecy, Size, Tier,
};

/// What a file says.
#[derive(Clone, Debug)]
pub struct ObjectContract {
    /// The function as a kernel; its name is the symbol, and it has no address.
    pub kernel: &'static Kernel,
    /// What the function reads beside its arguments, by which it chooses its way.
    pub variables: Vec<Variable>,
    /// Whether the assembler was given some instructions as data, so that they are marked as such.
    pub instructions_as_data: bool,
    /// The lines of algorithm and operation.
    pub operation_line: usize,
    /// The lines where arguments begin.
    pub argument_lines: Vec<usize>,
}

/// A variable of the program that the function reads, and the values that are cases of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its symbol.
    pub symbol: String,
    /// Its size.
    pub bytes: usize,
    /// The values that it may have, as the contract knows.
    pub values: Vec<u64>,
}

/// Why a file is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is not TOML, or has fields that a contract does not have, lacks some, or has some of another type.
    #[error("{0}")]
    Syntax(String),
    /// Something that cannot be.
    #[error("line {line}: {what}")]
    Meaning {
        /// The line, from 1.
        line: usize,
        /// What cannot be.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileTable {
    algorithm: Spanned<String>,
    operation: String,
    architecture: ArchitectureName,
    symbol: String,
    features: Vec<Spanned<String>>,
    stack: usize,
    #[serde(default)]
    lanes: Option<Spanned<usize>>,
    clears: Vec<ClearsName>,
    #[serde(default)]
    instructions_as_data: bool,
    #[serde(default)]
    layout: BTreeMap<String, usize>,
    #[serde(default)]
    returns: Option<ReturnsTable>,
    #[serde(rename = "argument")]
    arguments: Vec<Spanned<ArgumentTable>>,
    #[serde(rename = "variable", default)]
    variables: Vec<Spanned<VariableTable>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ArchitectureName {
    Aarch64,
    Arm,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum ClearsName {
    Registers,
    Stack,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReturnsTable {
    r#type: TypeName,
    secret: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgumentTable {
    name: String,
    buffer: Option<BufferTable>,
    scalar: Option<ScalarTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BufferTable {
    bytes: Option<isize>,
    each: Option<usize>,
    of: Option<String>,
    layout: Option<String>,
    more: Option<usize>,
    access: AccessName,
    secret: SecretValue,
    alignment: Option<usize>,
    may_equal: Option<String>,
    #[serde(default)]
    shared: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AccessName {
    Read,
    Write,
    ReadWrite,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "true, false, or how many bytes are secret")]
enum SecretValue {
    All(bool),
    UpTo(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScalarTable {
    r#type: TypeName,
    secret: bool,
    min: Option<u64>,
    max: Option<u64>,
    step: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TypeName {
    U32,
    U64,
    Usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableTable {
    symbol: String,
    bytes: usize,
    values: Vec<u64>,
}

impl ObjectContract {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn parse(text: &str) -> Result<ObjectContract, FileError> {
        let table: FileTable = toml::from_str(text).map_err(|error| FileError::Syntax(error.to_string()))?;
        Reader { text }.contract(table)
    }
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.as_bytes().iter().take(span.start).filter(|&&byte| byte == b'\n').count()
    }

    fn wrong<T>(&self, span: &Range<usize>, what: impl Into<String>) -> Result<T, FileError> {
        Err(FileError::Meaning { line: self.line(span), what: what.into() })
    }

    fn contract(&self, table: FileTable) -> Result<ObjectContract, FileError> {
        let architecture = match table.architecture {
            ArchitectureName::Aarch64 => Architecture::Aarch64,
            ArchitectureName::Arm => Architecture::Arm,
        };
        let features = self.features(&table.features, architecture)?;
        let lanes = match &table.lanes {
            Some(lanes) if *lanes.get_ref() == 0 => {
                return self.wrong(&lanes.span(), "a function has one lane at least");
            }
            lanes => lanes.as_ref().map_or(1, |lanes| *lanes.get_ref()),
        };
        let variables = self.variables(&table.variables)?;
        let contract = Contract {
            algorithm: leak(table.algorithm.get_ref().clone()),
            operation: leak(table.operation),
            arguments: self.arguments(&table.arguments)?.leak(),
            returns: match table.returns {
                None => Returns::Nothing,
                Some(ReturnsTable { r#type, secret }) => Returns::Value(scalar_type(r#type), secrecy(secret)),
            },
        };
        if let Err(error) = contract.validate() {
            return self.wrong(&table.arguments[concerned(error)].span(), error.to_string());
        }
        let tier = tier(&features);
        let clears = |what| table.clears.contains(&what);
        let layout: Vec<_> = table.layout.into_iter().map(|(name, bytes)| (leak(name), bytes)).collect();
        let kernel = Kernel {
            name: leak(table.symbol),
            architecture,
            tier,
            variant: tier.name(),
            lanes,
            contract: Box::leak(Box::new(contract)),
            features: features.leak(),
            stack: table.stack,
            layout: layout.leak(),
            clears: Clears { registers: clears(ClearsName::Registers), stack: clears(ClearsName::Stack) },
            entry: None,
        };
        Ok(ObjectContract {
            kernel: Box::leak(Box::new(kernel)),
            variables,
            instructions_as_data: table.instructions_as_data,
            operation_line: self.line(&table.algorithm.span()),
            argument_lines: table.arguments.iter().map(|argument| self.line(&argument.span())).collect(),
        })
    }

    fn features(&self, names: &[Spanned<String>], architecture: Architecture) -> Result<Vec<Feature>, FileError> {
        let mut features = Vec::new();
        for name in names {
            let Some(feature) = Feature::ALL.into_iter().find(|feature| feature.name() == name.get_ref()) else {
                let known = Feature::ALL.map(Feature::name).join(", ");
                return self.wrong(&name.span(), format!("{:?} is no feature; there are {known}", name.get_ref()));
            };
            if architecture == Architecture::Arm && matches!(feature, Feature::Sha512 | Feature::Sha3) {
                return self.wrong(&name.span(), format!("{feature} is a feature of aarch64 alone"));
            }
            features.push(feature);
        }
        Ok(features)
    }

    fn arguments(&self, tables: &[Spanned<ArgumentTable>]) -> Result<Vec<Argument>, FileError> {
        let names: Vec<&str> = tables.iter().map(|table| &*table.get_ref().name).collect();
        let mut seen = BTreeSet::new();
        let mut arguments = Vec::new();
        for table in tables {
            let span = table.span();
            let ArgumentTable { name, buffer, scalar } = table.get_ref();
            if !seen.insert(name) {
                return self.wrong(&span, format!("a second argument has the name {name:?}"));
            }
            let number = |of: &String| match names.iter().position(|name| name == of) {
                Some(number) => Ok(number),
                None => self.wrong(&span, format!("{name:?} refers to {of:?}, which is no argument")),
            };
            let kind = match (buffer, scalar) {
                (Some(buffer), None) => self.buffer(name, buffer, &span, &number)?,
                (None, Some(scalar)) => scalar_kind(scalar),
                _ => return self.wrong(&span, format!("{name:?} is to be either a buffer or a scalar")),
            };
            arguments.push(Argument { name: leak(name.clone()), kind });
        }
        Ok(arguments)
    }

    fn buffer(
        &self,
        name: &str,
        table: &BufferTable,
        span: &Range<usize>,
        number: &dyn Fn(&String) -> Result<usize, FileError>,
    ) -> Result<ArgumentKind, FileError> {
        let size = match (table.bytes, table.each, &table.of, &table.layout, table.more) {
            (Some(bytes), None, None, None, None) => match usize::try_from(bytes) {
                Ok(bytes) => Size::Fixed(bytes),
                Err(_) => return self.wrong(span, format!("{name:?} has {bytes} bytes")),
            },
            (base, Some(per), Some(of), None, None) => {
                Size::Affine { base: base.unwrap_or(0), per, argument: number(of)? }
            }
            (None, None, None, Some(layout), None) => Size::Layout(leak(layout.clone())),
            (None, None, Some(of), Some(layout), more) => {
                Size::LayoutEach { layout: leak(layout.clone()), more: more.unwrap_or(0), argument: number(of)? }
            }
            _ => {
                let what = format!(
                    "the size of {name:?} is to be told by `bytes`; by `each`, `of` and perhaps `bytes`; by `layout`; or by \
                     `layout`, `of` and perhaps `more`"
                );
                return self.wrong(span, what);
            }
        };
        let overlap = match (&table.may_equal, table.shared) {
            (None, false) => Overlap::Disjoint,
            (None, true) => Overlap::Shared,
            (Some(other), false) => Overlap::MayEqual(number(other)?),
            (Some(_), true) => return self.wrong(span, format!("{name:?} has both `may-equal` and `shared`")),
        };
        Ok(ArgumentKind::Buffer {
            size,
            access: match table.access {
                AccessName::Read => Access::Read,
                AccessName::Write => Access::Write,
                AccessName::ReadWrite => Access::ReadWrite,
            },
            secrecy: match table.secret {
                SecretValue::All(all) => secrecy(all),
                SecretValue::UpTo(bytes) => Secrecy::SecretUpTo(bytes),
            },
            alignment: table.alignment.unwrap_or(1),
            overlap,
        })
    }

    fn variables(&self, tables: &[Spanned<VariableTable>]) -> Result<Vec<Variable>, FileError> {
        let mut variables: Vec<Variable> = Vec::new();
        for table in tables {
            let (VariableTable { symbol, bytes, values }, span) = (table.get_ref(), table.span());
            if variables.iter().any(|other| other.symbol == *symbol) {
                return self.wrong(&span, format!("a second variable has the symbol {symbol:?}"));
            }
            if !matches!(bytes, 1 | 2 | 4 | 8) {
                return self.wrong(&span, format!("{symbol:?} has {bytes} bytes; a variable has 1, 2, 4 or 8"));
            }
            if values.is_empty() {
                return self.wrong(&span, format!("{symbol:?} has no values: without one nothing can be said"));
            }
            if let Some(value) = values.iter().find(|&value| value.checked_shr(8 * *bytes as u32).unwrap_or(0) > 0) {
                return self.wrong(&span, format!("{symbol:?} has {bytes} bytes, which cannot hold {value:#x}"));
            }
            variables.push(Variable { symbol: symbol.clone(), bytes: *bytes, values: values.clone() });
        }
        Ok(variables)
    }
}

fn leak(text: String) -> &'static str {
    text.leak()
}

fn secrecy(secret: bool) -> Secrecy {
    if secret { Secrecy::Secret } else { Secrecy::Public }
}

fn scalar_type(name: TypeName) -> ScalarType {
    match name {
        TypeName::U32 => ScalarType::U32,
        TypeName::U64 => ScalarType::U64,
        TypeName::Usize => ScalarType::Usize,
    }
}

fn scalar_kind(table: &ScalarTable) -> ArgumentKind {
    let most = if matches!(table.r#type, TypeName::U32) { u32::MAX.into() } else { u64::MAX };
    ArgumentKind::Scalar {
        ty: scalar_type(table.r#type),
        secrecy: secrecy(table.secret),
        min: table.min.unwrap_or(0),
        max: table.max.unwrap_or(most),
        step: table.step.unwrap_or(1),
    }
}

/// The argument that a contradiction is seen in.
fn concerned(error: ContractError) -> usize {
    match error {
        ContractError::Reference { argument, .. }
        | ContractError::Alignment { argument, .. }
        | ContractError::Shared { argument }
        | ContractError::Secrecy { argument }
        | ContractError::Range { argument }
        | ContractError::Overlap { argument, .. } => argument,
    }
}

fn tier(features: &[Feature]) -> Tier {
    match features {
        [] => Tier::Scalar,
        all if all.iter().all(|&feature| feature == Feature::Neon) => Tier::Neon,
        _ => Tier::Ce,
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::ToOwned;
    use std::vec;

    use super::*;

    const GOOD: &str = r#"algorithm = "sha256"
operation = "compress"
architecture = "aarch64"
symbol = "sha256_block_data_order"
features = ["neon", "sha2"]
stack = 112
clears = ["registers"]

[[argument]]
name = "state"
buffer = { bytes = 32, access = "read-write", secret = true, alignment = 4 }

[[argument]]
name = "blocks"
buffer = { each = 64, of = "count", access = "read", secret = 8, shared = true }

[[argument]]
name = "count"
scalar = { type = "usize", secret = false, min = 1 }

[[variable]]
symbol = "capabilities"
bytes = 4
values = [0, 0x10]
"#;

    #[test]
    fn a_contract_is_what_its_file_says() {
        let ObjectContract { kernel, variables, instructions_as_data, operation_line, argument_lines } =
            ObjectContract::parse(GOOD).unwrap();
        assert_eq!((kernel.name, kernel.architecture), ("sha256_block_data_order", Architecture::Aarch64));
        assert_eq!((kernel.stack, kernel.lanes, kernel.tier), (112, 1, Tier::Ce));
        assert_eq!(kernel.features, [Feature::Neon, Feature::Sha2]);
        assert_eq!(kernel.clears, Clears { registers: true, stack: false });
        let count = Argument::count("count");
        let ArgumentKind::Scalar { ty, secrecy, step, .. } = count.kind else { unreachable!() };
        let expected = Contract {
            algorithm: "sha256",
            operation: "compress",
            arguments: vec![
                Argument::buffer("state", Size::Fixed(32), Access::ReadWrite, Secrecy::Secret).aligned(4),
                Argument::buffer(
                    "blocks",
                    Size::Affine { base: 0, per: 64, argument: 2 },
                    Access::Read,
                    Secrecy::SecretUpTo(8),
                )
                .shared(),
                // The file is of AArch64, wherever it is read.
                Argument { name: "count", kind: ArgumentKind::Scalar { ty, secrecy, min: 1, max: u64::MAX, step } },
            ]
            .leak(),
            returns: Returns::Nothing,
        };
        assert_eq!(*kernel.contract, expected);
        assert_eq!(variables, [Variable { symbol: "capabilities".to_owned(), bytes: 4, values: Vec::from([0, 16]) }]);
        assert!(!instructions_as_data);
        let text = GOOD.replacen("clears", "instructions-as-data = true\nclears", 1);
        assert!(ObjectContract::parse(&text).unwrap().instructions_as_data);
        assert_eq!((operation_line, argument_lines), (1, Vec::from([9, 13, 17])));
    }

    /// What is said of the contract with one part replaced.
    #[track_caller]
    fn refused(part: &str, by: &str, said: &[&str]) {
        assert!(GOOD.contains(part), "{part}");
        let error = ObjectContract::parse(&GOOD.replacen(part, by, 1)).unwrap_err().to_string();
        for said in said {
            assert!(error.contains(said), "{said:?} is not in {error:?}");
        }
    }

    #[test]
    fn fields_are_those_of_a_contract() {
        refused("stack = 112", "stacks = 112", &["line 6", "unknown field `stacks`", "`stack`"]);
        refused("stack = 112\n", "", &["missing field `stack`"]);
        refused("stack = 112", "stack = \"deep\"", &["line 6", "invalid type", "deep"]);
        refused("min = 1", "least = 1", &["line 19", "unknown field `least`"]);
        refused("\"aarch64\"", "\"riscv64\"", &["line 3", "riscv64", "aarch64", "arm"]);
        refused("\"read\"", "\"reads\"", &["line 15", "reads", "read-write"]);
        refused("secret = 8", "secret = \"no\"", &["line 15", "how many bytes are secret"]);
        refused("clears = [\"registers\"]", "clears = [\"flags\"]", &["line 7", "flags", "registers"]);
        refused("operation", "operation = 1 =", &["line 2"]);
    }

    #[test]
    fn features_are_known_and_of_the_architecture() {
        refused("\"sha2\"]", "\"sha1\"]", &["line 5", "\"sha1\" is no feature", "sha2"]);
        let arm = GOOD.replacen("aarch64", "arm", 1).replacen("\"sha2\"", "\"sha512\"", 1);
        let error = ObjectContract::parse(&arm).unwrap_err().to_string();
        assert!(error.contains("line 5: sha512 is a feature of aarch64 alone"), "{error}");
    }

    #[test]
    fn arguments_do_not_contradict_each_other() {
        refused("name = \"blocks\"", "name = \"state\"", &["line 13", "second argument", "\"state\""]);
        refused("of = \"count\"", "of = \"number\"", &["line 13", "\"blocks\" refers to \"number\"", "no argument"]);
        refused("of = \"count\"", "of = \"state\"", &["line 13", "argument 1 refers to argument 0"]);
        refused("of = \"count\", ", "", &["line 13", "size of \"blocks\"", "`each`"]);
        refused("bytes = 32", "bytes = -1", &["line 9", "\"state\" has -1 bytes"]);
        refused("alignment = 4", "alignment = 3", &["line 9", "alignment of 3 bytes"]);
        refused("alignment = 4", "shared = true", &["line 9", "argument 0 is written"]);
        refused("alignment = 4", "may-equal = \"blocks\"", &["line 9", "arguments 0 and 1", "differ in size"]);
        refused("shared = true", "shared = true, may-equal = \"state\"", &["line 13", "both"]);
        refused("min = 1", "min = 2, max = 1", &["line 17", "empty range"]);
        refused("scalar = {", "scalars = {", &["line 19", "unknown field `scalars`"]);
        refused(
            "scalar = { type = \"usize\", secret = false, min = 1 }",
            "",
            &["line 17", "either a buffer or a scalar"],
        );
        refused("stack = 112", "stack = 112\nlanes = 0", &["line 7", "one lane at least"]);
    }

    #[test]
    fn variables_have_values_that_fit() {
        refused("values = [0, 0x10]", "values = []", &["line 21", "\"capabilities\" has no values"]);
        refused("0x10]", "0x1_0000_0000]", &["line 21", "4 bytes, which cannot hold 0x100000000"]);
        refused("bytes = 4\n", "bytes = 3\n", &["line 21", "has 3 bytes"]);
        let twice = "values = [1]\n[[variable]]\nsymbol = \"capabilities\"\nbytes = 4\nvalues = [1]";
        refused("values = [0, 0x10]", twice, &["line 25", "second variable"]);
    }
}
