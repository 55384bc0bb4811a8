//! `viewpoint.bcfv`: a camera that sees the clash, and the two parts, selected and coloured.

use std::io;

use impinge::{Point, Vector};

use super::Issue;
use super::xml::{self, Xml};
use crate::arguments::{Clash, Up};
use crate::output::number;

/// Horizontal angle of view in degrees, at most 60 in this version of the format.
const FIELD: f64 = 60.0;
/// Distance of the camera, beside the radius of what it sees: the sphere fits a window up to 1.7
/// times as wide as high.
const DISTANCE: f64 = 3.0;
/// From the clash to the camera; z points up.
const FROM: [f64; 3] = [0.6, -1.0, 0.55];

/// The direction from the clash to the camera, of length 1, with z up.
pub(super) fn from() -> Vector {
    Vector::from(FROM).normalize()
}
/// Colours of the parts, alpha first: opaque blue and yellow.
const COLORS: [&str; 2] = ["FF2F6FD0", "FFE0A020"];

pub(super) fn of(issue: &Issue<'_>, arguments: &Clash) -> io::Result<Vec<u8>> {
    let guid = issue.viewpoint().to_string();
    let names = issue.names();
    xml::file(|xml| {
        let info = xml.create_element("VisualizationInfo").with_attribute(("Guid", guid.as_str()));
        info.write_inner_content(|xml| {
            xml.create_element("Components").write_inner_content(|xml| {
                let selection = xml.create_element("Selection");
                selection.write_inner_content(|xml| {
                    names.iter().try_for_each(|name| component(xml, name))
                })?;
                // Were the others hidden, a tool that does not know the names would show nothing.
                let visible = ("DefaultVisibility", "true");
                xml.create_element("Visibility").with_attribute(visible).write_empty()?;
                xml.create_element("Coloring").write_inner_content(|xml| {
                    for (name, color) in names.iter().zip(COLORS) {
                        let color = xml.create_element("Color").with_attribute(("Color", color));
                        color.write_inner_content(|xml| component(xml, name))?;
                    }
                    Ok(())
                })?;
                Ok(())
            })?;
            camera(xml, issue, arguments)
        })?;
        Ok(())
    })
}

/// A part, by its IFC GUID if its name is one.
fn component(xml: &mut Xml, name: &str) -> io::Result<()> {
    let element = xml.create_element("Component");
    let Some(guid) = ifc_guid(name) else {
        let known = |xml: &mut Xml| {
            xml::text(xml, "OriginatingSystem", "impinge")?;
            xml::text(xml, "AuthoringToolId", name)
        };
        element.write_inner_content(known)?;
        return Ok(());
    };
    element.with_attribute(("IfcGuid", guid)).write_empty()?;
    Ok(())
}

/// The GUID that a name is or ends with, after the path of its file: 22 digits to base 64, as IFC
/// has them, of 128 bits.
fn ifc_guid(name: &str) -> Option<&str> {
    let last = name.rsplit('/').next()?;
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let of_128_bits = matches!(last.bytes().next(), Some(b'0'..=b'3'));
    (last.len() == 22 && of_128_bits && last.bytes().all(is_digit)).then_some(last)
}

/// A camera in metres, with z up.
fn camera(xml: &mut Xml, issue: &Issue<'_>, arguments: &Clash) -> io::Result<()> {
    let (center, radius) = sphere(issue);
    let turned = match arguments.up() {
        Up::Y => Vector::new(center.x, -center.z, center.y),
        Up::Z => center.coords,
    };
    let from = from();
    let at = (turned + from * (DISTANCE * radius)) * arguments.unit;
    // Up is the direction across that of view which is nearest to z.
    let up = (Vector::z() - from * from.z).normalize();
    let place = |xml: &mut Xml, name: &str, v: &Vector| -> io::Result<()> {
        xml.create_element(name).write_inner_content(|xml| {
            [("X", v.x), ("Y", v.y), ("Z", v.z)]
                .iter()
                .try_for_each(|(name, value)| xml::text(xml, name, &number(*value)))
        })?;
        Ok(())
    };
    xml.create_element("PerspectiveCamera").write_inner_content(|xml| {
        place(xml, "CameraViewPoint", &at)?;
        place(xml, "CameraDirection", &-from)?;
        place(xml, "CameraUpVector", &up)?;
        xml::text(xml, "FieldOfView", &number(FIELD))
    })?;
    Ok(())
}

/// What the camera sees: the contact, or the part inside the other, and something of the parts. Its
/// middle, and its radius.
pub(super) fn sphere(issue: &Issue<'_>) -> (Point, f64) {
    let [a, b] = issue.clash.parts;
    let boxes = [a, b].map(|part| {
        let object = issue.objects[part as usize];
        object.shape.posed(&object.pose, 0.0)
    });
    let inner = &boxes[usize::from(issue.clash.inside() == Some(b))];
    let seen = issue.clash.extent.as_ref().unwrap_or(inner);
    let least = boxes.iter().map(|b| (b.max - b.min).norm() / 2.0).fold(f64::INFINITY, f64::min);
    let radius = (1.2 * (seen.max - seen.min).norm() / 2.0).max(0.7 * least);
    (seen.min + (seen.max - seen.min) * 0.5, radius)
}

#[cfg(test)]
mod tests {
    use super::ifc_guid;

    #[test]
    fn names_that_are_guids_are_known() {
        let guid = "2O2Fr$t4X7Zf8NOew3FNr2";
        assert_eq!(ifc_guid(guid), Some(guid));
        assert_eq!(ifc_guid(&format!("house.glb/{guid}")), Some(guid));
        for other in ["", "beam 1", "4O2Fr$t4X7Zf8NOew3FNr2", "2O2Fr$t4X7Zf8NOew3FNr2 (2)"] {
            assert_eq!(ifc_guid(other), None, "{other}");
        }
        assert_eq!(ifc_guid("2O2Fr-t4X7Zf8NOew3FNr2"), None);
        assert_eq!(ifc_guid("2O2Fr$t4X7Zf8NOew3Fé2"), None);
    }
}
